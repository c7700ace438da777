import { dayIn, firstDay, lastDay } from '@wayquest/contracts';
import { sayOfChallenge as say } from './words.ts';

/** What is amiss with the days of a challenge that is still a form, by the day that it is here; '' is a day not chosen. */
export function daysAmiss({ startDate, endDate }: { startDate: string; endDate: string }, now = new Date()) {
  if ([startDate, endDate].some((day) => day && (day < firstDay || day > lastDay))) return say('yearIsOff');
  if (!endDate) return undefined;
  if (startDate > endDate) return say('endsBeforeStart');
  const today = dayIn(Intl.DateTimeFormat().resolvedOptions().timeZone, now);
  return endDate < today ? say('endIsPast') : undefined;
}
