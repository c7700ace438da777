import { randomBytes } from 'node:crypto';
import type { Me } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { Caller } from '@wayquest/platform/http';
import type { RateLimiter } from '@wayquest/platform/redis';
import type { ServiceKit } from '@wayquest/platform/service';
import { retryOnConflict } from '@wayquest/platform/store';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { drawAvatar } from './generated-avatar.ts';
import { pictureModel } from './picture.model.ts';
import { presentMe } from './profile.presenter.ts';
import type { Profiles } from './profiles.ts';

const formats = new Set(['jpeg', 'png', 'webp']);
const fewestPixels = 64;
const maxPixels = 6_000;
const maxMegapixels = 16;
const side = 256;

/** One at a time, and each on one thread: a picture of a few bytes can be seconds of work. */
sharp.concurrency(1);
const inTurn = pLimit(1);
const maxQueued = 20;

/** Nobody who is still there takes this long to choose a picture. */
const choosingMs = 10 * 60 * 1_000;

/** A file to answer with. */
export interface Picture {
  type: string;
  data: string | Buffer;
}

/**
 * Reads a picture, whatever it claims to be, and writes it anew: a square of 256 pixels without what else the file
 * held (place, camera, anything hidden in it). Throws `unsupported-image`.
 */
async function redraw(file: Uint8Array): Promise<Buffer> {
  try {
    const image = sharp(file, { limitInputPixels: maxMegapixels * 1_000_000, failOn: 'error' });
    // What the file's head says; nothing is drawn before it is known to be small enough.
    const { format, width, height } = await image.metadata();
    if (!formats.has(format)) throw new Error(`${format} is not taken`);
    if (width * height > maxMegapixels * 1_000_000)
      throw new Problem('unsupported-image', {
        detail: `Please choose a picture of at most ${maxMegapixels} megapixels.`,
      });
    if (Math.min(width, height) < fewestPixels || Math.max(width, height) > maxPixels) {
      throw new Problem('unsupported-image', {
        detail: `Please choose a picture of ${fewestPixels} to ${maxPixels} pixels each way.`,
      });
    }
    return await image.rotate().resize(side, side, { fit: 'cover' }).webp({ quality: 82 }).toBuffer();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('unsupported-image', { cause: error });
  }
}

/** People's pictures: their own, or one drawn from their id. */
export function createPictures({
  kit: { connection, clock },
  profiles,
  limiter,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  profiles: Profiles;
  limiter: RateLimiter;
}) {
  const Pictures = pictureModel(connection);

  /** Takes away what crashes left, of the people in whose choosing they came. */
  const removeLeftovers = async (): Promise<void> => {
    const abandoned = { chosenAt: { $lt: new Date(clock.now() - choosingMs) } };
    for (const userId of await Pictures.distinct('userId', abandoned)) {
      // Found before it is asked which one is shown: of these, none can come to be shown any more.
      const settled = await Pictures.find(
        { userId, $or: [abandoned, { chosenAt: null }] },
        { _id: 1 },
      ).lean();
      const shown = await profiles.avatarOf(userId);
      const others = settled.map(({ _id }) => _id).filter((id) => id !== shown);
      await Pictures.deleteMany({ _id: { $in: others } });
      await Pictures.updateMany({ userId, ...abandoned }, { $unset: { chosenAt: 1 } });
    }
  };

  /** Until it is gone: DocumentDB passes by what is being changed at the same moment. */
  const remove = (_id: string): Promise<true> =>
    retryOnConflict(async () => {
      await Pictures.deleteOne({ _id });
      return (await Pictures.exists({ _id })) ? undefined : true;
    });

  return {
    /**
     * Under a new name each time, since the old one is cached everywhere. Throws `unsupported-image`, `too-many-requests`
     * and, where many others wait, `service-unavailable`.
     */
    async choose(file: Uint8Array, caller: Caller): Promise<Me> {
      await limiter.count(String(caller.id));
      if (inTurn.pendingCount >= maxQueued)
        throw new Problem('service-unavailable', { retryAfterSeconds: 5 });
      const data = await inTurn(() => redraw(file));
      const avatar = `${caller.id}-${randomBytes(8).toString('hex')}.webp`;
      await Pictures.create({ _id: avatar, userId: caller.id, data, chosenAt: new Date(clock.now()) });
      const { profile, replaced } = await profiles.setAvatar(avatar, caller);
      // Only the one before: another one may have been chosen meanwhile, and be shown.
      await remove(replaced);
      await Pictures.updateOne({ _id: avatar }, { $unset: { chosenAt: 1 } });
      await removeLeftovers();
      return presentMe(profile);
    },

    /** Throws `not-found`. */
    async find(file: string): Promise<Picture> {
      // With no number at the end those of before, which others still know and caches still hold.
      const id = /^explorer-([1-9]\d{0,15})(?:-2)?\.svg$/.exec(file)?.[1];
      if (id) return { type: 'image/svg+xml', data: drawAvatar(Number(id)) };
      const picture = await Pictures.findById(file);
      if (!picture) throw new Problem('not-found');
      return { type: 'image/webp', data: picture.data };
    },
  };
}

export type Pictures = ReturnType<typeof createPictures>;
