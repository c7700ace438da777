import { type ChallengeDetails, localDate } from '@wayquest/contracts';

const day = 24 * 60 * 60_000;

/** The days of a challenge that nobody is to complete any more: it ended yesterday, where it is. */
export function daysOfClosed(
  { startDate, timeZone }: Pick<ChallengeDetails, 'startDate' | 'timeZone'>,
  now = new Date(),
) {
  const endDate = new Date(Date.parse(localDate(timeZone, now)) - day).toISOString().slice(0, 10);
  return { startDate: startDate && startDate > endDate ? endDate : startDate, endDate };
}
