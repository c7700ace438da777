import { keepsColors } from './canvas-check.ts';

/** The server shows 256 pixels a side; high-density screens need twice as many. */
const side = 512;
/** The types that the server accepts. */
const acceptedTypes = ['image/jpeg', 'image/png', 'image/webp'];
const maxBytes = 1024 * 1024;

/** Why a picture cannot be sent: this browser cannot read it, or its canvas does not return what was drawn. */
export type PictureProblem = 'unread' | 'not-shrunk';

/**
 * Returns the middle of a picture as a small, upright square, as the server would crop it: a phone's photo has some 3
 * MB, of which a few kB are shown. If this browser cannot shrink it, returns it unchanged, provided that the server
 * accepts it.
 */
export async function shrinkPicture(file: Blob): Promise<Blob | PictureProblem> {
  const original = (problem: PictureProblem) =>
    acceptedTypes.includes(file.type) && file.size <= maxBytes ? file : problem;
  if (typeof createImageBitmap === 'undefined' || typeof OffscreenCanvas === 'undefined')
    return original('unread');
  try {
    const bitmap = await createImageBitmap(file);
    const cut = Math.min(bitmap.width, bitmap.height);
    // Small enough; the server rejects pictures that are too small.
    if (cut <= side && file.size <= 512 * 1024) return file;
    const shown = Math.min(side, cut);
    const canvas = new OffscreenCanvas(shown, shown);
    const context = canvas.getContext('2d');
    const encode = () => canvas.convertToBlob({ type: 'image/webp', quality: 0.9 });
    if (!context || !(await keepsColors(context, encode))) return original('not-shrunk');
    context.clearRect(0, 0, shown, shown);
    const [x, y] = [(bitmap.width - cut) / 2, (bitmap.height - cut) / 2];
    context.drawImage(bitmap, x, y, cut, cut, 0, 0, shown, shown);
    bitmap.close();
    return await encode();
  } catch {
    return original('unread');
  }
}
