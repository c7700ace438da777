import { firstDay, lastDay, localDate } from '@wayquest/contracts';
import { browserTimeZone } from '../../shared/lib/time.ts';
import { translateChallenge as translate } from './translations.ts';

/**
 * Returns the error of a form's dates; '' is a date that is not set. Today is that in the challenge's time zone, or in
 * the browser's for a new one.
 */
export function dateError(
  { startDate, endDate }: { startDate: string; endDate: string },
  timeZone = browserTimeZone(),
  now = new Date(),
) {
  if ([startDate, endDate].some((day) => day && (day < firstDay || day > lastDay)))
    return translate('yearIsOff');
  if (!endDate) return undefined;
  if (startDate > endDate) return translate('endsBeforeStart');
  const today = localDate(timeZone, now);
  return endDate < today ? translate('endIsPast') : undefined;
}
