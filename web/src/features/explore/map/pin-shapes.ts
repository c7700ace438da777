import { amber, gray, moss, purple } from '../../../shared/theme/palette.ts';
import type { Pin } from './map.ts';

/** A shape of a pin's drawing. */
export interface Shape {
  d: string;
  fill: string;
  stroke?: string;
  /** Whether its line is dashed. */
  dashed?: boolean;
  /** On 20 by 20, within the pin's head. */
  inHead?: boolean;
}

/** Size of a pin's drawing in pixels, and the position of its tip. */
export const canvas = { width: 44, height: 48, tip: [22, 46] } as const;

/** Centers an icon of 20 by 20 in the head, slightly smaller. */
export const headTransform = 'translate(13.8 9.8) scale(.82)';

/** Diameter of a cluster's circle in pixels, with room for its number. */
export const clusterSize = (count: number) => (count < 10 ? 44 : count < 100 ? 46 : count < 1_000 ? 54 : 62);

const drop = 'M22 46S6 29 6 18a16 16 0 0 1 32 0c0 11-16 28-16 28z';
const tag = 'M22 46l-6-9h-2a8 8 0 0 1-8-8V11a8 8 0 0 1 8-8h16a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8h-2z';
const disc = 'M22 6.5a11.5 11.5 0 1 1 0 23 11.5 11.5 0 0 1 0-23z';
const dot = 'M22 12.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z';
const badge = 'M35 1.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15z';
const flag = 'M31.5 4.5h1.6v.8c2-1 3.3.8 5.7-.2v4.7c-2.4 1-3.7-.8-5.7.2v3.7h-1.6z';
const check = 'M31 9.2l1.3-1.4 1.9 1.8 3.6-4 1.4 1.3-4.9 5.5z';

const white = '#fff';
const drawings = {
  open: { color: purple[6] },
  joined: { color: purple[6], badge: amber[7], mark: flag },
  completed: { color: moss[7], badge: moss[8], mark: check },
  ended: { color: gray[6], hollow: true },
} satisfies Record<
  NonNullable<Pin['state']>,
  { color: string | undefined; badge?: string | undefined; mark?: string; hollow?: boolean }
>;

const icon = (glyph: string | undefined, fill: string): Shape[] =>
  glyph ? [{ d: glyph, fill, inHead: true }] : [{ d: dot, fill }];

/**
 * The shapes of a pin. Its state does not depend on color alone: joined ones have a flag, completed ones a check mark,
 * and ended ones are hollow. Places are square.
 */
export function shapesOf({ kind, state = 'open', glyph }: Pick<Pin, 'kind' | 'state' | 'glyph'>): Shape[] {
  if (kind === 'place') return [{ d: tag, fill: amber[7] ?? '', stroke: white }, ...icon(glyph, white)];
  if (kind === 'here') return [{ d: drop, fill: gray[9] ?? '', stroke: white }, ...icon(undefined, white)];
  const { color = '', ...drawing } = drawings[state];
  if ('hollow' in drawing)
    return [{ d: drop, fill: white, stroke: color, dashed: true }, ...icon(glyph, color)];
  const marks: Shape[] =
    'badge' in drawing
      ? [
          { d: badge, fill: drawing.badge ?? '', stroke: white },
          { d: drawing.mark, fill: white },
        ]
      : [];
  return [{ d: drop, fill: color, stroke: white }, { d: disc, fill: white }, ...icon(glyph, color), ...marks];
}

/** Returns a pin as an SVG file. */
export function svgOf(pin: Parameters<typeof shapesOf>[0]): string {
  const paths = shapesOf(pin).map(
    ({ d, fill, stroke, dashed, inHead }) =>
      `<path d="${d}" fill="${fill}" fill-rule="evenodd"${stroke ? ` stroke="${stroke}" stroke-width="2"` : ''}${dashed ? ' stroke-dasharray="4 2.5"' : ''}${inHead ? ` transform="${headTransform}"` : ''}/>`,
  );
  const { width, height } = canvas;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${paths.join('')}</svg>`;
}
