import { randomBytes } from 'node:crypto';
import type { Me } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import { reencodePicture } from '@wayquest/platform/pictures';
import type { RateLimiter } from '@wayquest/platform/redis';
import type { ServiceKit } from '@wayquest/platform/service';
import { retryOnConflict } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import { type Connection, Schema } from 'mongoose';
import { drawAvatar } from './generated-avatar.ts';
import { presentMe } from './profile.model.ts';
import type { Profiles } from './profiles.ts';

/** An uploaded picture, as it is served. */
export interface PictureDocument {
  /** Its file name. */
  _id: string;
  userId: number;
  data: Buffer;
  /** Set during the upload; also left behind by a crash. */
  chosenAt?: Date | null;
}

const schema = new Schema<PictureDocument>({
  _id: { type: String, required: true },
  userId: { type: Number, required: true },
  data: { type: Buffer, required: true },
  chosenAt: Date,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ userId: 1 });
schema.index({ chosenAt: 1 }, { sparse: true });

export const pictureModel = (connection: Connection) =>
  connection.model<PictureDocument>('Picture', schema, 'pictures');

const avatarSide = 256;

/** An upload that is older than this was interrupted. */
const uploadTimeoutMs = 10 * 60 * 1_000;

/** A file as a response. */
export interface Picture {
  type: string;
  data: string | Buffer;
}

/** Users' pictures: their own, or one generated from the id. */
export interface Pictures {
  /**
   * Stores a picture under a new name, since the old one is cached. Throws `unsupported-image`, `too-many-requests` and, if many
   * uploads are waiting, `service-unavailable`.
   */
  upload(file: Uint8Array, caller: Caller): Promise<Me>;
  /** Throws `not-found`. */
  find(file: string): Promise<Picture>;
}

/** Creates the store of profile pictures, which are re-encoded. */
export function createPictures({
  kit: { connection, clock },
  profiles,
  limiter,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  profiles: Profiles;
  limiter: RateLimiter;
}): Pictures {
  const Pictures = pictureModel(connection);

  /** Deletes a user's interrupted uploads. */
  const removeLeftovers = async (): Promise<void> => {
    const abandoned = { chosenAt: { $lt: new Date(clock.now() - uploadTimeoutMs) } };
    for (const userId of await Pictures.distinct('userId', abandoned)) {
      // Found before the current one is loaded: none of these can become the current one.
      const finishedUploads = await Pictures.find(
        { userId, $or: [abandoned, { chosenAt: null }] },
        { _id: 1 },
      ).lean();
      const currentAvatar = await profiles.avatarOf(userId);
      const others = finishedUploads.map(({ _id }) => _id).filter((id) => id !== currentAvatar);
      await Pictures.deleteMany({ _id: { $in: others } });
      await Pictures.updateMany({ userId, ...abandoned }, { $unset: { chosenAt: 1 } });
    }
  };

  /** Repeated until it is deleted: DocumentDB skips documents that are being changed concurrently. */
  const remove = (_id: string): Promise<true> =>
    retryOnConflict(async () => {
      await Pictures.deleteOne({ _id });
      return (await Pictures.exists({ _id })) ? undefined : true;
    });

  return {
    async upload(file: Uint8Array, caller: Caller): Promise<Me> {
      await limiter.count(String(caller.id));
      const data = await reencodePicture(file, { width: avatarSide, height: avatarSide, fit: 'cover' });
      const avatar = `${caller.id}-${randomBytes(8).toString('hex')}.webp`;
      await Pictures.create({ _id: avatar, userId: caller.id, data, chosenAt: new Date(clock.now()) });
      const { profile, replaced } = await profiles.setAvatar(avatar, caller);
      // Only the previous one: another may have been uploaded concurrently, and be current.
      await remove(replaced);
      await Pictures.updateOne({ _id: avatar }, { $unset: { chosenAt: 1 } });
      await removeLeftovers();
      return presentMe(profile);
    },

    async find(file: string): Promise<Picture> {
      // Names without a version are of older drawings, which caches and replicas still contain.
      const id = /^explorer-([1-9]\d{0,15})(?:-2)?\.svg$/.exec(file)?.[1];
      if (id) return { type: 'image/svg+xml', data: drawAvatar(Number(id)) };
      const picture = await Pictures.findById(file);
      if (!picture) throw new Problem('not-found');
      return { type: 'image/webp', data: picture.data };
    },
  };
}
