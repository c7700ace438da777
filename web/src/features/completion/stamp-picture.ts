import { preservesColors } from '../../shared/lib/pictures.ts';
import { amber, light, purple } from '../../shared/theme/palette.ts';

/** Width and height of the picture, in pixels. */
const size = 1080;
const center = size / 2;
const stamp = { top: 96, radius: 290 };

/** Breaks a text into lines. */
function linesOf(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) && context.measureText(longer).width > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** A position and size on a canvas. */
interface Box {
  x: number;
  y: number;
  width: number;
}

function outlineOf(shape: SVGGraphicsElement): Path2D {
  if (shape instanceof SVGPathElement) return new Path2D(shape.getAttribute('d') ?? '');
  const outline = new Path2D();
  const at = (name: string) => Number(shape.getAttribute(name) ?? 0);
  if (shape instanceof SVGCircleElement) outline.arc(at('cx'), at('cy'), at('r'), 0, 2 * Math.PI);
  if (shape instanceof SVGEllipseElement)
    outline.ellipse(at('cx'), at('cy'), at('rx'), at('ry'), 0, 0, 2 * Math.PI);
  if (shape instanceof SVGRectElement) outline.rect(at('x'), at('y'), at('width'), at('height'));
  return outline;
}

const caps: readonly string[] = ['butt', 'round', 'square'] satisfies CanvasLineCap[];
const isCap = (text: string): text is CanvasLineCap => caps.includes(text);

/**
 * Draws the shapes of an SVG in the page onto a canvas, with their current colors. As an image it would have none of
 * the page's styles, and the content security policy would block it.
 */
function drawSvg(context: CanvasRenderingContext2D, svg: SVGSVGElement, { x, y, width }: Box): void {
  const scale = width / svg.clientWidth;
  for (const shape of svg.querySelectorAll<SVGGraphicsElement>('path, circle, ellipse, rect')) {
    const matrix = shape.getCTM();
    if (!matrix) continue;
    const { fill, stroke, strokeWidth, strokeLinecap, strokeDasharray, fillRule, opacity } =
      getComputedStyle(shape);
    const outline = outlineOf(shape);
    context.save();
    context.translate(x, y);
    context.scale(scale, scale);
    context.transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f);
    context.globalAlpha = Number(opacity);
    if (fill !== 'none') {
      context.fillStyle = fill;
      context.fill(outline, fillRule === 'evenodd' ? 'evenodd' : 'nonzero');
    }
    if (stroke !== 'none') {
      context.strokeStyle = stroke;
      context.lineWidth = Number.parseFloat(strokeWidth);
      if (isCap(strokeLinecap)) context.lineCap = strokeLinecap;
      context.setLineDash(
        strokeDasharray === 'none' ? [] : strokeDasharray.split(',').map(Number.parseFloat),
      );
      context.stroke(outline);
    }
    context.restore();
  }
}

/**
 * Draws a picture of a stamp, with the challenge's name and further lines. Returns null if the canvas does not return
 * what was drawn.
 */
export async function stampPicture(svg: SVGSVGElement, name: string, below: string[]): Promise<Blob | null> {
  await document.fonts.ready;
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser has no canvas context');
  const encode = () =>
    new Promise<Blob>((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be encoded'))),
        'image/png',
      );
    });
  if (!(await preservesColors(context, encode))) return null;
  const font = getComputedStyle(document.body).fontFamily;

  const evening = context.createLinearGradient(0, 0, 0, size);
  evening.addColorStop(0, purple[1]);
  evening.addColorStop(1, amber[1]);
  context.fillStyle = evening;
  context.fillRect(0, 0, size, size);

  const middle = stamp.top + stamp.radius;
  context.save();
  context.beginPath();
  context.arc(center, middle, stamp.radius, 0, 2 * Math.PI);
  context.clip();
  drawSvg(context, svg, { x: center - stamp.radius, y: stamp.top, width: 2 * stamp.radius });
  context.restore();
  context.lineWidth = 12;
  context.strokeStyle = purple[5];
  context.setLineDash([28, 14]);
  context.beginPath();
  context.arc(center, middle, stamp.radius + 26, 0, 2 * Math.PI);
  context.stroke();

  context.fillStyle = light.text;
  context.textAlign = 'center';
  context.font = `800 64px ${font}`;
  let y = middle + stamp.radius + 120;
  for (const line of linesOf(context, name, size - 160).slice(0, 2)) {
    context.fillText(line, center, y, size - 120);
    y += 72;
  }
  context.font = `600 36px ${font}`;
  context.fillStyle = purple[7];
  for (const line of below) {
    context.fillText(line, center, y, size - 120);
    y += 48;
  }
  return encode();
}
