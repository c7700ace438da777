import { catalogue } from '../i18n/catalogue.ts';
import english from '../i18n/en/picture.ts';

/** How a picture is shrunk and encoded. */
interface Shape {
  /** Maximum length of a side in pixels. */
  side: number;
  /** Whether it is cropped to a square. */
  isSquare: boolean;
  type: 'image/webp' | 'image/jpeg';
  quality: number;
}

/** The server shows 256 pixels a side; high-density screens need twice as many. */
export const avatarShape: Shape = { side: 512, isSquare: true, type: 'image/webp', quality: 0.9 };
/** As large as the server stores it. A browser that encodes no WebP would return a PNG, which would be too large. */
export const photoShape: Shape = { side: 1_280, isSquare: false, type: 'image/jpeg', quality: 0.85 };

/** The types that the server accepts. */
const acceptedTypes = ['image/jpeg', 'image/png', 'image/webp'];
const maxBytes = 1024 * 1024;

/** The server rejects shorter and longer sides, in pixels. */
const minSide = 64;
const maxSide = 6_000;

/**
 * Why a picture cannot be sent: this browser cannot read it, its canvas does not return what was drawn, or it is too narrow
 * for its length.
 */
export type PictureProblem = 'unreadable' | 'cannot-shrink' | 'too-narrow';

const problemTexts = {
  unreadable: 'unread',
  'cannot-shrink': 'notShrunk',
  'too-narrow': 'tooNarrow',
} as const;

/**
 * Returns a picture as small as the server would make it, and upright: a phone's photo has some 3 MB, of which a few kB
 * are shown. If this browser cannot shrink it, returns it unchanged, provided that the server accepts it.
 */
export async function shrinkPicture(
  file: Blob,
  { side, isSquare, type, quality }: Shape,
): Promise<Blob | PictureProblem> {
  const original = (problem: PictureProblem) =>
    acceptedTypes.includes(file.type) && file.size <= maxBytes ? file : problem;
  if (typeof createImageBitmap === 'undefined' || typeof OffscreenCanvas === 'undefined')
    return original('unreadable');
  try {
    const bitmap = await createImageBitmap(file);
    const shorter = Math.min(bitmap.width, bitmap.height);
    const crop = isSquare
      ? { width: shorter, height: shorter }
      : { width: bitmap.width, height: bitmap.height };
    const longerSide = Math.max(crop.width, crop.height);
    // Small enough.
    if (longerSide <= side && shorter >= minSide && file.size <= 512 * 1024) return file;
    // A panorama stays longer than others: otherwise it would be too narrow for the server, which makes it smaller itself.
    const scale = Math.min(1, Math.max(side / longerSide, minSide / shorter));
    const target = { width: Math.round(crop.width * scale), height: Math.round(crop.height * scale) };
    if (shorter < minSide || longerSide * scale > maxSide) return 'too-narrow';
    const canvas = new OffscreenCanvas(target.width, target.height);
    const context = canvas.getContext('2d');
    const encode = () => canvas.convertToBlob({ type, quality });
    if (!context || !(await preservesColors(context, encode))) return original('cannot-shrink');
    context.clearRect(0, 0, target.width, target.height);
    // JPEG knows no transparency: it would become black.
    if (type === 'image/jpeg') {
      context.fillStyle = '#fff';
      context.fillRect(0, 0, target.width, target.height);
    }
    const [x, y] = [(bitmap.width - crop.width) / 2, (bitmap.height - crop.height) / 2];
    context.drawImage(bitmap, x, y, crop.width, crop.height, 0, 0, target.width, target.height);
    bitmap.close();
    return await encode();
  } catch {
    return original('unreadable');
  }
}

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

const { translate } = catalogue('picture', english);

/** Returns a sentence that says why a picture cannot be uploaded. */
export const pictureProblemSentence = (problem: PictureProblem): string => translate(problemTexts[problem]);
