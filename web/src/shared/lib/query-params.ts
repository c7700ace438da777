import type { Position } from '@wayquest/contracts';

/** Parses a query parameter that is one of some values. */
export const parseOption = <T extends string>(values: readonly T[], text: string | null): T | null =>
  values.find((value) => value === text) ?? null;

/** Parses a position in the URL: `40.76,-73.82`. */
export function readPosition(text: string | null): Position | null {
  const [lat, lng, ...others] = text?.split(',').map(Number) ?? [];
  const isPlace = lat !== undefined && lng !== undefined && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return isPlace && others.length === 0 ? { lat, lng } : null;
}

/** Whether a number in the URL can be an id. */
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;
