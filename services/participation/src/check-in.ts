import { type ChallengeDetails, type DevicePosition, distanceInMeters } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';

const second = 1_000;
const hour = 3_600 * second;

/** Maximum distance from a place in meters, and the maximum accuracy radius in meters that is added to it. */
const maxMetres = 100;
const maxAccuracy = 100;
/** Maximum age of a position, and how far a device's clock may be ahead. */
const maxAge = 60 * second;

/** So many completions in an hour are implausible. */
const implausiblePace = 20;
/** Faster than an airplane. */
const kmPerHour = 1_000;
/**
 * Both people may be at the edges of their circles: their distance may be this much shorter than that of the places.
 */
const slack = 2 * (maxMetres + maxAccuracy);

/**
 * Which of a person's completions are compared with the next one: those of a day, in which an airplane gets everywhere.
 */
export const comparisonWindowMs = 24 * hour;

/** Whether a position proves that its device was at a place. */
export type LocationCheck = 'near' | 'far' | 'stale' | 'missing';

export function checkLocation(
  { position: place }: Pick<ChallengeDetails, 'position'>,
  device: DevicePosition | undefined,
  now: Date,
): LocationCheck {
  if (!place || !device) return 'missing';
  if (Math.abs(now.getTime() - Date.parse(device.takenAt)) > maxAge) return 'stale';
  return distanceInMeters(place, device) <= maxMetres + Math.min(device.accuracy, maxAccuracy)
    ? 'near'
    : 'far';
}

const refusals: Record<Exclude<LocationCheck, 'near'>, string> = {
  missing: `This challenge requires a check-in. Turn on location, within ${maxMetres} m of its place.`,
  stale: 'Your location was too old for the check-in that this challenge requires. Please try again.',
  far: `This challenge requires a check-in, and you are too far away. Go within ${maxMetres} m of its place, then try again.`,
};

/** Throws `check-in-needed` if the challenge requires a check-in and this is none. */
export function requireCheckIn(
  { checkInRequired, position }: Pick<ChallengeDetails, 'checkInRequired' | 'position'>,
  locationCheck: LocationCheck,
): void {
  if (!checkInRequired || !position || locationCheck === 'near') return;
  throw new Problem('check-in-needed', { detail: refusals[locationCheck] });
}

/**
 * Whether a person completes more than is plausible, by the times of their other completions and of this one (`at`).
 */
export const isPaceImplausible = (others: Date[], at: Date): boolean =>
  others.filter((moment) => Math.abs(at.getTime() - moment.getTime()) < hour).length + 1 >= implausiblePace;

interface CheckedIn extends Pick<ChallengeDetails, 'position'> {
  at: Date;
}

/** Whether nobody can travel from one check-in to the other in that time. */
export function isTravelImplausible(from: CheckedIn, to: CheckedIn): boolean {
  if (!from.position || !to.position) return false;
  const metres = distanceInMeters(from.position, to.position) - slack;
  return metres / 1_000 > (kmPerHour * Math.abs(to.at.getTime() - from.at.getTime())) / hour;
}
