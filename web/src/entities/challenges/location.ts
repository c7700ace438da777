import { type ChallengeDetails, distanceInMeters, type Position } from '@wayquest/contracts';
import { currentLanguage } from '../../shared/i18n/catalogue.ts';
import { formatPosition } from '../../shared/lib/query-params.ts';

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

/** Whether fewer than three challenges are nearby: not enough to choose from. */
export const hasFewNearby = (
  at: Position,
  challenges: readonly Pick<ChallengeDetails, 'position' | 'area'>[],
): boolean =>
  challenges.filter(
    ({ position, area }) =>
      position && distanceInMeters(at, position) <= Math.max(nearbyRadius, area?.radiusMeters ?? 0),
  ).length < 3;

/** Where the map starts (spec, section 9). */
export const mapStart: Position = { lat: 40.76, lng: -73.82 };

/** Returns the URL of a position on the map, with the window of a challenge open if one is given. */
export const mapUrl = (position: Position, zoom: number, challengeId?: number): string =>
  `/explore?at=${formatPosition(position)}&zoom=${zoom}${challengeId ? `&challenge=${challengeId}` : ''}`;

/**
 * Returns a link for directions to a position: in the chosen maps app on Android (a `geo:` URI, RFC 5870), in Apple's
 * Maps on its devices, otherwise on openstreetmap.org.
 *
 * @param name - Shown at the position if the app can.
 */
export function directionsTo(position: Position, name: string, userAgent: string): string {
  const at = formatPosition(position);
  if (userAgent.includes('Android')) {
    const label = encodeURIComponent(name.replaceAll(/[()]/g, ' '));
    return `geo:${at}?q=${at}(${label})`;
  }
  if (/iPhone|iPad|Macintosh/.test(userAgent)) return `https://maps.apple.com/?daddr=${at}`;
  return `https://www.openstreetmap.org/directions?to=${encodeURIComponent(at)}`;
}
