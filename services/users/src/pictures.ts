import { randomBytes } from 'node:crypto';
import type { Me } from '@wayquest/contracts';
import { type Caller, Problem, type ServiceKit } from '@wayquest/platform';
import sharp from 'sharp';
import { drawAvatar } from './generated-avatar.ts';
import { pictureModel } from './picture.model.ts';
import { presentMe } from './profile.presenter.ts';
import type { Profiles } from './profiles.ts';

const formats = new Set(['jpeg', 'png', 'webp']);
const fewestPixels = 64;
const mostPixels = 6_000;
const side = 256;

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
    const image = sharp(file, { limitInputPixels: mostPixels ** 2, failOn: 'error' });
    const { format, width, height } = await image.metadata();
    if (!formats.has(format)) throw new Error(`${format} is not taken`);
    if (Math.min(width, height) < fewestPixels || Math.max(width, height) > mostPixels) {
      throw new Problem('unsupported-image', {
        detail: `Please choose a picture of ${fewestPixels} to ${mostPixels} pixels each way.`,
      });
    }
    return await image.rotate().resize(side, side, { fit: 'cover' }).webp({ quality: 82 }).toBuffer();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('unsupported-image', { cause: error });
  }
}

/** People's pictures: their own, or a landscape drawn from their id. */
export function createPictures({ connection }: Pick<ServiceKit, 'connection'>, profiles: Profiles) {
  const Pictures = pictureModel(connection);

  return {
    /** Under a new name each time, since the old one is cached everywhere. Throws `unsupported-image`. */
    async choose(file: Uint8Array, caller: Caller): Promise<Me> {
      const data = await redraw(file);
      const avatar = `${caller.id}-${randomBytes(8).toString('hex')}.webp`;
      await Pictures.create({ _id: avatar, userId: caller.id, data });
      const profile = await profiles.setAvatar(avatar, caller);
      await Pictures.deleteMany({ userId: caller.id, _id: { $ne: profile.avatar } });
      return presentMe(profile);
    },

    /** Throws `not-found`. */
    async find(file: string): Promise<Picture> {
      const id = /^explorer-([1-9]\d{0,15})\.svg$/.exec(file)?.[1];
      if (id) return { type: 'image/svg+xml', data: drawAvatar(Number(id)) };
      const picture = await Pictures.findById(file);
      if (!picture) throw new Problem('not-found');
      return { type: 'image/webp', data: picture.data };
    },
  };
}

export type Pictures = ReturnType<typeof createPictures>;
