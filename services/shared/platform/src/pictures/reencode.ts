import pLimit from 'p-limit';
import sharp, { type ResizeOptions } from 'sharp';
import { limits } from '../core/limits.ts';
import { Problem } from '../core/problem.ts';

const formats = new Set(['jpeg', 'png', 'webp']);
const minPixels = 64;
const maxPixels = 6_000;
const maxMegapixels = 16;

/** One at a time, each on one thread: a picture of a few bytes can take seconds. */
sharp.concurrency(1);
const queue = pLimit(1);

async function decodeAndEncode(file: Uint8Array, size: ResizeOptions): Promise<Buffer> {
  try {
    const image = sharp(file, { limitInputPixels: maxMegapixels * 1_000_000, failOn: 'error' });
    // From the file's header: nothing is decoded before its dimensions are known to be small enough.
    const { format, width, height } = await image.metadata();
    if (!formats.has(format)) throw new Error(`${format} is not accepted`);
    if (width * height > maxMegapixels * 1_000_000)
      throw new Problem('unsupported-image', {
        detail: `Please choose a picture of at most ${maxMegapixels} megapixels.`,
      });
    if (Math.min(width, height) < minPixels || Math.max(width, height) > maxPixels) {
      throw new Problem('unsupported-image', {
        detail: `Please choose a picture of ${minPixels} to ${maxPixels} pixels each way.`,
      });
    }
    return await image.rotate().resize(size).webp({ quality: 82 }).toBuffer();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('unsupported-image', { cause: error });
  }
}

/**
 * Decodes an uploaded JPEG, PNG or WebP picture and encodes it again as WebP: upright, and without metadata such as an
 * EXIF position. The bytes decide the format, not the content type of the request.
 *
 * @param size - The size of the result.
 * @returns The bytes of the WebP picture.
 * @throws Problem `unsupported-image`, and `service-unavailable` if many are waiting.
 */
export async function reencodePicture(file: Uint8Array, size: ResizeOptions): Promise<Buffer> {
  if (queue.pendingCount >= limits.pictureQueue.max)
    throw new Problem('service-unavailable', { retryAfterSeconds: 5 });
  return queue(() => decodeAndEncode(file, size));
}

/** Cuts a picture that `reencodePicture` returned to a size, as WebP. */
export const cropPicture = (picture: Uint8Array, size: { width: number; height: number }): Promise<Buffer> =>
  queue(() =>
    sharp(picture)
      .resize({ ...size, fit: 'cover' })
      .webp({ quality: 80 })
      .toBuffer(),
  );
