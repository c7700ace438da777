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
export function drawSvg(context: CanvasRenderingContext2D, svg: SVGSVGElement, { x, y, width }: Box): void {
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
