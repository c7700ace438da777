import { distanceInMeters, type Position } from '@wayquest/contracts';
import { currentLanguage } from '../../shared/i18n/catalogue.ts';

/** '350 m', '2.4 km', '31 km' */
export function formatDistance(meters: number): string {
  const [value, unit, maximumFractionDigits] =
    meters < 950
      ? ([Math.round(meters / 50) * 50, 'meter', 0] as const)
      : ([meters / 1_000, 'kilometer', meters < 9_950 ? 1 : 0] as const);
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, maximumFractionDigits }).format(
    value,
  );
}

/** How far away something still counts as nearby, in meters. */
export const nearbyRadius = 5_000;

/** How far somebody walks who has just signed up, in meters. */
export const walkingDistance = 1_000;

/**
 * Whether fewer than three challenges are nearby: not enough to choose from.
 *
 * @param within - What counts as nearby, in meters.
 */
export const hasFewNearby = (
  at: Position,
  challenges: readonly { position: Position | null }[],
  within: number = nearbyRadius,
): boolean =>
  challenges.filter(({ position }) => position && distanceInMeters(at, position) <= within).length < 3;
