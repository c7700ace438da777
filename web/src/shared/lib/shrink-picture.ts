/** The server shows 256 pixels a side; on a fine screen that is what 512 are for. */
const side = 512;
/** Of what the server takes. */
const taken = ['image/jpeg', 'image/png', 'image/webp'];
const mostTaken = 1024 * 1024;

/**
 * The middle of a picture as a small square, upright, as the server would cut it: a phone's photo has some 3 MB, of which a few
 * kB are shown. What this browser cannot read is answered as it is, where the server takes its like; else there is none.
 */
export async function shrinkPicture(file: Blob): Promise<Blob | null> {
  const asItIs = taken.includes(file.type) && file.size <= mostTaken ? file : null;
  if (typeof createImageBitmap === 'undefined' || typeof OffscreenCanvas === 'undefined') return asItIs;
  try {
    const bitmap = await createImageBitmap(file);
    const cut = Math.min(bitmap.width, bitmap.height);
    // Too small a one is the server's to refuse.
    if (cut <= side && file.size <= 512 * 1024) return file;
    const shown = Math.min(side, cut);
    const canvas = new OffscreenCanvas(shown, shown);
    const [x, y] = [(bitmap.width - cut) / 2, (bitmap.height - cut) / 2];
    canvas.getContext('2d')?.drawImage(bitmap, x, y, cut, cut, 0, 0, shown, shown);
    bitmap.close();
    return await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 });
  } catch {
    return asItIs;
  }
}
