/** Red, green and blue: clearly different colors. */
const bars = ['#d02030', '#20a040', '#3040d0'];

/** Maximum difference from a drawn color: encoding is lossy, and some browsers add a little noise. */
const tolerance = 40;

const numbersOf = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/**
 * Whether a canvas returns what was drawn on it: protection against fingerprinting silently replaces it by white or
 * noise. Draws over the whole canvas.
 *
 * @param context - Of the canvas.
 * @param encode - Encodes the canvas's content as a file.
 */
export async function preservesColors(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  encode: () => Promise<Blob>,
): Promise<boolean> {
  const { width, height } = context.canvas;
  bars.forEach((color, at) => {
    context.fillStyle = color;
    context.fillRect((at * width) / bars.length, 0, width / bars.length, height);
  });
  const bitmap = await createImageBitmap(await encode());
  // Draws the encoded file, and compares its pixels: encoding or reading pixels may be protected.
  context.clearRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return bars.every((color, at) => {
    const middle = Math.floor(((at + 0.5) * width) / bars.length);
    const { data } = context.getImageData(middle, Math.floor(height / 2), 1, 1);
    return numbersOf(color).every((value, channel) => Math.abs(value - (data[channel] ?? 0)) <= tolerance);
  });
}
