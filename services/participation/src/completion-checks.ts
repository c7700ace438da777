import {
  type ChallengeDetails,
  checkInMeters,
  type DevicePosition,
  distanceInMeters,
  feetPerMile,
  localDate,
  metersPerFoot,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';

const formatDate = (day: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

/** How long after it was done a completion may arrive, in milliseconds. */
const maxCompletionAgeMs = 48 * 3_600_000;

/**
 * When a challenge was completed, by the server's clock: never before the person joined.
 *
 * @param secondsAgo - How long ago, as the device says.
 * @throws Problem `completed-too-long-ago` above 48 hours.
 */
export function completionTime(
  { secondsAgo = 0, joinedAt }: { secondsAgo?: number | undefined; joinedAt: Date },
  now: Date,
): Date {
  const ageMs = secondsAgo * 1_000;
  if (ageMs > maxCompletionAgeMs) throw new Problem('completed-too-long-ago');
  return new Date(Math.max(now.getTime() - ageMs, joinedAt.getTime()));
}

/**
 * Why a challenge cannot be completed at a time: it is hidden, or it is outside of its days. They are days in its time
 * zone; a missing one means no bound, and the end date is included.
 *
 * @returns `challenge-hidden`, `not-started` or `already-ended`; undefined if it is open.
 */
export function whyClosed(
  { status, startDate, endDate, timeZone }: ChallengeDetails,
  now: Date,
): Problem | undefined {
  if (status === 'hidden') return new Problem('challenge-hidden');
  const today = localDate(timeZone, now);
  if (startDate && today < startDate)
    return new Problem('not-started', {
      detail: `This challenge starts on ${formatDate(startDate)}. Come back then.`,
    });
  return endDate && today > endDate
    ? new Problem('already-ended', { detail: `This challenge ended on ${formatDate(endDate)}.` })
    : undefined;
}

const hour = 3_600_000;

/** The maximum accuracy radius in meters that is added to the maximum distance. */
const maxAccuracy = 100;
/** Maximum time between the measurement of a position and the completion, in seconds. */
const maxPositionAgeSeconds = 60;

/** So many completions in an hour are implausible. */
const maxCompletionsPerHour = 20;
/** Faster than an airplane. */
const maxTravelKmPerHour = 1_000;
/** How far from a challenge's position a check-in counts, in meters. */
const reachOf = ({ area }: Pick<ChallengeDetails, 'area'>): number => area?.radiusMeters ?? checkInMeters;

/**
 * Which of a person's completions are compared with the next one: those within 24 hours, since in a
 * longer time any distance is plausible.
 */
export const comparisonWindowMs = 24 * hour;

/** Whether a position proves that its device was at a place. */
export type LocationCheckResult = 'near' | 'far' | 'stale' | 'missing';

/**
 * Compares a device's position with a challenge's place. Both ages are differences of the device's clock, which may itself be
 * wrong.
 *
 * @param secondsAgo - How long ago the challenge was completed, as the device says.
 */
export function checkLocation(
  { position: place, area }: Pick<ChallengeDetails, 'position' | 'area'>,
  device: DevicePosition | undefined,
  secondsAgo = 0,
): LocationCheckResult {
  if (!place || !device) return 'missing';
  if (Math.abs((device.secondsAgo ?? secondsAgo) - secondsAgo) > maxPositionAgeSeconds) return 'stale';
  return distanceInMeters(place, device) <= reachOf({ area }) + Math.min(device.accuracy, maxAccuracy)
    ? 'near'
    : 'far';
}

type Rejection = Exclude<LocationCheckResult, 'near'>;

const rejectionDetails: Record<Rejection, (within: string) => string> = {
  missing: (within) => `This challenge requires a check-in. Turn on location, ${within}.`,
  stale: () => 'Your location was too old for the check-in that this challenge requires. Please try again.',
  far: (within) =>
    `This challenge requires a check-in, and you are too far away. Go ${within}, then try again.`,
};

/** `100 m (325 ft)`, `4.5 km (2.7 mi)`: in units of everybody, rounded down. */
function inBothUnits(meters: number): string {
  const feet = meters / metersPerFoot;
  if (meters < 1_000) return `${meters} m (${Math.floor(feet / 25) * 25} ft)`;
  return `${Math.floor(meters / 100) / 10} km (${Math.floor((10 * feet) / feetPerMile) / 10} mi)`;
}

/** Throws `check-in-required` if the challenge requires a check-in and this is none. */
export function requireCheckIn(
  { checkInRequired, position, area }: Pick<ChallengeDetails, 'checkInRequired' | 'position' | 'area'>,
  locationCheck: LocationCheckResult,
): void {
  if (!checkInRequired || !position || locationCheck === 'near') return;
  const within = `within ${inBothUnits(reachOf({ area }))} of its ${area ? 'center' : 'place'}`;
  throw new Problem('check-in-required', { detail: rejectionDetails[locationCheck](within) });
}

/**
 * Whether a person completes more than is plausible, by the times of their other completions and of this one (`at`).
 */
export const isPaceImplausible = (others: Date[], at: Date): boolean =>
  others.filter((moment) => Math.abs(at.getTime() - moment.getTime()) < hour).length + 1 >=
  maxCompletionsPerHour;

interface CheckIn extends Pick<ChallengeDetails, 'position' | 'area'> {
  at: Date;
}

/** Whether nobody can travel from one check-in to the other in that time. */
export function isTravelImplausible(from: CheckIn, to: CheckIn): boolean {
  if (!from.position || !to.position) return false;
  // Both may have been at the edges of their circles.
  const tolerance = reachOf(from) + reachOf(to) + 2 * maxAccuracy;
  const distanceMeters = distanceInMeters(from.position, to.position) - tolerance;
  return distanceMeters / 1_000 > (maxTravelKmPerHour * Math.abs(to.at.getTime() - from.at.getTime())) / hour;
}
