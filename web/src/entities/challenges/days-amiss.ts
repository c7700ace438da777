import { firstDay, lastDay, localDate } from '@wayquest/contracts';
import { browserTimeZone } from '../../shared/lib/days.ts';
import { sayOfChallenge as say } from './translations.ts';

/** What is amiss with the days of a form; '' is a day not chosen. Today is that of the challenge, of a new one that of the browser. */
export function daysAmiss(
  { startDate, endDate }: { startDate: string; endDate: string },
  timeZone = browserTimeZone(),
  now = new Date(),
) {
  if ([startDate, endDate].some((day) => day && (day < firstDay || day > lastDay))) return say('yearIsOff');
  if (!endDate) return undefined;
  if (startDate > endDate) return say('endsBeforeStart');
  const today = localDate(timeZone, now);
  return endDate < today ? say('endIsPast') : undefined;
}
