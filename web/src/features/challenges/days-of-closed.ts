import { type ChallengeDetails, localDate } from '@wayquest/contracts';

const day = 24 * 60 * 60_000;

/** Returns the dates of a closed challenge: it ended yesterday, in its time zone. */
export function daysOfClosed(
  { startDate, timeZone }: Pick<ChallengeDetails, 'startDate' | 'timeZone'>,
  now = new Date(),
) {
  const endDate = new Date(Date.parse(localDate(timeZone, now)) - day).toISOString().slice(0, 10);
  return { startDate: startDate && startDate > endDate ? endDate : startDate, endDate };
}
