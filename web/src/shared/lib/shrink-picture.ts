import { keepsColors } from './canvas-check.ts';

/** The server shows 256 pixels a side; on a fine screen that is what 512 are for. */
const side = 512;
/** What the server takes as it is. */
const acceptedTypes = ['image/jpeg', 'image/png', 'image/webp'];
const maxBytes = 1024 * 1024;

/** Why a picture cannot be sent: this browser cannot read it, or gives no picture back that it drew. */
export type PictureProblem = 'unread' | 'not-shrunk';

/**
 * The middle of a picture as a small square, upright, as the server would cut it: a phone's photo has some 3 MB, of which a few
 * kB are shown. What this browser cannot make smaller is returned as it is, where the server takes its like.
 */
export async function shrinkPicture(file: Blob): Promise<Blob | PictureProblem> {
  const original = (problem: PictureProblem) =>
    acceptedTypes.includes(file.type) && file.size <= maxBytes ? file : problem;
  if (typeof createImageBitmap === 'undefined' || typeof OffscreenCanvas === 'undefined')
    return original('unread');
  try {
    const bitmap = await createImageBitmap(file);
    const cut = Math.min(bitmap.width, bitmap.height);
    // Too small a one is the server's to refuse.
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
