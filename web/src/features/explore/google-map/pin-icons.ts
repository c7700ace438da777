import { amber, gray, moss, purple } from '../../../shared/theme/palette.ts';
import type { Pin } from '../map/map.ts';

const colors = {
  challenge: purple[6],
  completed: moss[7],
  place: amber[7],
  here: gray[9],
  cluster: purple[6],
} satisfies Record<Pin['kind'], string | undefined>;

const svg = (width: number, height: number, shapes: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${shapes}</svg>`,
  )}`;

/** A pin whose tip is 1 px above the bottom of 32 × 44. */
const drop = (color: string) =>
  svg(
    32,
    44,
    `<path d="M16 2C8.3 2 2 8.2 2 15.9 2 26 16 43 16 43s14-17 14-27.1C30 8.2 23.7 2 16 2z" fill="${color}" stroke="#fff" stroke-width="2"/><circle cx="16" cy="16" r="5.5" fill="#fff"/>`,
  );

const disc = (color: string, size: number) =>
  svg(
    size,
    size,
    `<circle cx="${size / 2}" cy="${size / 2}" r="${size / 2 - 2}" fill="${color}" stroke="#fff" stroke-width="3"/>`,
  );

interface Looks {
  icon: google.maps.Icon;
  label?: google.maps.MarkerLabel;
}

function draw({ kind, count = 0 }: Pin): Looks {
  const color = colors[kind] ?? '';
  if (kind !== 'cluster') {
    return { icon: { url: drop(color), anchor: new google.maps.Point(16, 43) } };
  }
  const size = count < 10 ? 44 : count < 100 ? 46 : count < 1_000 ? 54 : 62;
  return {
    icon: { url: disc(color, size), anchor: new google.maps.Point(size / 2, size / 2) },
    label: {
      text: count < 10_000 ? String(count) : `${Math.round(count / 1_000)}k`,
      color: '#fff',
      fontSize: '15px',
      fontWeight: '800',
    },
  };
}

const drawn = new Map<string, Looks>();

/** What a pin looks like on Google's map; the same object for the same looks, so that nothing is drawn twice. */
export function looksOf(pin: Pin): Looks {
  const name = `${pin.kind} ${pin.count}`;
  const looks = drawn.get(name) ?? draw(pin);
  drawn.set(name, looks);
  return looks;
}
