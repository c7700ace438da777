import { type ChallengeDetails, dayIn } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';

const inWords = (day: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

/**
 * Throws `not-started` or `already-ended` outside a challenge's days. They are days at the place itself, no day
 * means no bound, and the last one counts.
 */
export function requireOpen({ startDate, endDate, timeZone }: ChallengeDetails, now: Date): void {
  const today = dayIn(timeZone, now);
  if (startDate && today < startDate) {
    throw new Problem('not-started', {
      detail: `This challenge starts on ${inWords(startDate)}. Come back then.`,
    });
  }
  if (endDate && today > endDate) {
    throw new Problem('already-ended', { detail: `This challenge ended on ${inWords(endDate)}.` });
  }
}
