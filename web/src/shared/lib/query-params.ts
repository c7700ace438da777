import type { Position } from '@wayquest/contracts';

/** Parses a query parameter that is one of some values. */
export const parseOption = <T extends string>(values: readonly T[], text: string | null): T | null =>
  values.find((value) => value === text) ?? null;

/** Parses a decimal number of a URL. Nothing else is one: not an empty text, an exponent or another base. */
const readNumber = (text: string | null | undefined): number | null =>
  /^-?\d+(\.\d+)?$/.test(text ?? '') ? Number(text) : null;

/** Parses a whole number of a URL within limits. */
export function readInteger(text: string | null | undefined, min: number, max: number): number | null {
  const value = readNumber(text);
  return value !== null && Number.isSafeInteger(value) && value >= min && value <= max ? value : null;
}

/** Parses an id in a URL; 0 for what is none. */
export const readId = (text: string | undefined): number =>
  readInteger(text, 1, Number.MAX_SAFE_INTEGER) ?? 0;

/** Parses a position in the URL: `40.76,-73.82`. */
export function readPosition(text: string | null): Position | null {
  const [lat, lng, ...others] = text?.split(',').map(readNumber) ?? [];
  if (typeof lat !== 'number' || typeof lng !== 'number' || others.length > 0) return null;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}

/** A decimal number without an exponent and without trailing zeros. */
const formatNumber = (value: number, decimals: number) =>
  value
    .toFixed(decimals)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');

/**
 * Returns a position for a URL.
 *
 * @param decimals - Seven are about a centimeter.
 */
export const formatPosition = ({ lat, lng }: Position, decimals = 7): string =>
  `${formatNumber(lat, decimals)},${formatNumber(lng, decimals)}`;

/** Whether a number can be an id. */
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;
