import type { Position } from '@wayquest/contracts';
import { currentLanguage } from '../../shared/words/catalogue.ts';

const earth = 6_371_000;
const radian = Math.PI / 180;

/** Metres from one place to another, as the crow flies. */
export function metresBetween(a: Position, b: Position): number {
  const [north, east] = [(b.lat - a.lat) * radian, (b.lng - a.lng) * radian];
  const half =
    Math.sin(north / 2) ** 2 + Math.cos(a.lat * radian) * Math.cos(b.lat * radian) * Math.sin(east / 2) ** 2;
  return 2 * earth * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** '350 m', '2.4 km', '31 km' */
export function distanceInWords(metres: number): string {
  const [value, unit, maximumFractionDigits] =
    metres < 950
      ? ([Math.round(metres / 50) * 50, 'meter', 0] as const)
      : ([metres / 1_000, 'kilometer', metres < 9_950 ? 1 : 0] as const);
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, maximumFractionDigits }).format(
    value,
  );
}
