import {
  type ChallengeDetails,
  distanceInMeters,
  feetPerMile,
  metersPerFoot,
  type Position,
} from '@wayquest/contracts';
import { currentLanguage, spaceUnit } from '../../shared/i18n/catalogue.ts';
import { formatPosition } from '../../shared/lib/query-params.ts';
import { safeLocalStorage } from '../../shared/lib/storage.ts';

/** The system of units for distances. */
export type UnitSystem = 'metric' | 'miles';

const unitsKey = 'wayquest-units';

/** The device's language and region; none while pages are rendered at build time. */
const deviceLocale = () => (typeof navigator === 'undefined' ? '' : navigator.language);

/** The units that were chosen in this browser, otherwise those of its region: miles in the four whose road signs use them. */
export function currentUnits(): UnitSystem {
  const chosen = safeLocalStorage.getItem(unitsKey);
  const isMiles = chosen ? chosen === 'miles' : /-(US|GB|LR|MM)\b/.test(deviceLocale());
  return isMiles ? 'miles' : 'metric';
}

export const chooseUnits = (units: UnitSystem) => safeLocalStorage.setItem(unitsKey, units);

/** Short distances are in steps of the smaller unit, those of almost a tenth or a fifth of the larger one in that. */
const scales = {
  metric: { small: 'meter', meters: 1, step: 50, until: 950, large: 'kilometer', smallInLarge: 1_000 },
  miles: {
    ...{ small: 'foot', meters: metersPerFoot, step: 25, until: 975 },
    ...{ large: 'mile', smallInLarge: feetPerMile },
  },
} as const;

/** '350 m', '2.4 km', '31 km'; '325 ft', '1.5 mi', '19 mi'. A line never ends between number and unit. */
export function formatDistance(meters: number, units = currentUnits()): string {
  const scale = scales[units];
  const small = meters / scale.meters;
  const large = small / scale.smallInLarge;
  const [value, unit, maximumFractionDigits] =
    small < scale.until
      ? ([Math.max(1, Math.round(small / scale.step)) * scale.step, scale.small, 0] as const)
      : ([large, scale.large, large < 9.95 ? 1 : 0] as const);
  const format = new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, maximumFractionDigits });
  return spaceUnit(format.format(value)).replace(' ', '\u00a0');
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
