import { type ChallengeDetails, localDate } from '@wayquest/contracts';
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
 * Throws `not-started` or `already-ended` outside a challenge's days. They are days in its time zone; a missing one
 * means no bound, and the end date is included.
 */
export function requireOpen({ startDate, endDate, timeZone }: ChallengeDetails, now: Date): void {
  const today = localDate(timeZone, now);
  if (startDate && today < startDate) {
    throw new Problem('not-started', {
      detail: `This challenge starts on ${formatDate(startDate)}. Come back then.`,
    });
  }
  if (endDate && today > endDate) {
    throw new Problem('already-ended', { detail: `This challenge ended on ${formatDate(endDate)}.` });
  }
}
