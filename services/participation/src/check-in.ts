import { type ChallengeDetails, type DevicePosition, metresBetween } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';

const second = 1_000;
const hour = 3_600 * second;

/** Metres from its place within which somebody is there, and as many more where the device is not sure. */
const near = 100;
const maxAccuracy = 100;
/** As old as a position may be, and as far ahead as a device's clock may be. */
const newest = 60 * second;

/** So many in an hour nobody completes by going there. */
const paceOfDoubt = 20;
/** Faster than planes. */
const kmPerHour = 1_000;
/** Two people at the edges of their circles are that much nearer to each other than the places are. */
const slack = 2 * (near + maxAccuracy);

/** What is asked of somebody's completions to doubt the next one: of a day, since in one a plane gets everywhere. */
export const doubtWindow = 24 * hour;

/** How far a position answers for being at a place. */
export type Presence = 'there' | 'far' | 'stale' | 'untold';

export function presenceAt(
  { position: place }: Pick<ChallengeDetails, 'position'>,
  told: DevicePosition | undefined,
  now: Date,
): Presence {
  if (!place || !told) return 'untold';
  if (Math.abs(now.getTime() - Date.parse(told.takenAt)) > newest) return 'stale';
  return metresBetween(place, told) <= near + Math.min(told.accuracy, maxAccuracy) ? 'there' : 'far';
}

const refusals: Record<Exclude<Presence, 'there'>, string> = {
  untold: `This challenge requires a check-in. Turn on location, within ${near} m of its place.`,
  stale: 'Your location was too old for the check-in that this challenge requires. Please try again.',
  far: `This challenge requires a check-in, and you are too far away. Go within ${near} m of its place, then try again.`,
};

/** Throws `check-in-needed` where the challenge is completed by a check-in alone, and this is none. */
export function requireCheckIn(
  { checkInAsked, position }: Pick<ChallengeDetails, 'checkInAsked' | 'position'>,
  presence: Presence,
): void {
  if (!checkInAsked || !position || presence === 'there') return;
  throw new Problem('check-in-needed', { detail: refusals[presence] });
}

/** Whether somebody completes more than anybody could: `others` is when they completed others, `at` when this one. */
export const isPaceDoubtful = (others: Date[], at: Date): boolean =>
  others.filter((moment) => Math.abs(at.getTime() - moment.getTime()) < hour).length + 1 >= paceOfDoubt;

interface CheckedIn extends Pick<ChallengeDetails, 'position'> {
  at: Date;
}

/** Whether nobody gets from one check-in to the other in that time. */
export function isTravelDoubtful(from: CheckedIn, to: CheckedIn): boolean {
  if (!from.position || !to.position) return false;
  const metres = metresBetween(from.position, to.position) - slack;
  return metres / 1_000 > (kmPerHour * Math.abs(to.at.getTime() - from.at.getTime())) / hour;
}
