import { type ChallengeDetails, firstDay, lastDay, localDate } from '@wayquest/contracts';
import { browserTimeZone, daysBetween, longDay, shortDay, weekday } from '../../shared/lib/days.ts';
import { serverNow } from '../../shared/lib/server-time.ts';
import { translateChallenge as translate } from './translations.ts';

type WithDates = Pick<ChallengeDetails, 'startDate' | 'endDate'>;
type WithTimeZone = WithDates & Pick<ChallengeDetails, 'timeZone'>;

/** 'May 3 2025 – May 9 2025', or the date that is set. */
export function dateRange({ startDate, endDate }: WithDates): string {
  if (startDate && endDate) return translate('range', { start: longDay(startDate), end: longDay(endDate) });
  if (startDate) return translate('from', { start: longDay(startDate) });
  if (endDate) return translate('until', { end: longDay(endDate) });
  return translate('alwaysOpen');
}

/** Dates are in the time zone of the place, and the end date is included. */
export function phaseOf({ startDate, endDate, timeZone }: WithTimeZone, now = new Date(serverNow())) {
  const today = localDate(timeZone, now);
  if (startDate && today < startDate) return 'upcoming';
  if (endDate && today > endDate) return 'ended';
  return 'open';
}

/** The state by the dates, today: 'Open until May 9'. */
export function phaseSentence(challenge: WithTimeZone, now = new Date(serverNow())): string {
  const { startDate, endDate } = challenge;
  const phase = phaseOf(challenge, now);
  if (startDate && phase === 'upcoming') return translate('opensOn', { day: shortDay(startDate, now) });
  if (!endDate) return translate('openNow');
  return translate(phase === 'ended' ? 'endedOn' : 'openUntil', { day: shortDay(endDate, now) });
}

/**
 * Returns the error of a form's dates; '' is a date that is not set. Today is that in the challenge's time zone, or in
 * the browser's for a new one.
 */
export function dateError(
  { startDate, endDate }: { startDate: string; endDate: string },
  timeZone = browserTimeZone(),
  now = new Date(serverNow()),
) {
  if ([startDate, endDate].some((day) => day && (day < firstDay || day > lastDay)))
    return translate('yearIsOff');
  if (!endDate) return undefined;
  if (startDate > endDate) return translate('endsBeforeStart');
  const today = localDate(timeZone, now);
  return endDate < today ? translate('endIsPast') : undefined;
}

/** 'You're in. It ends on Sunday.' within a week, otherwise with the date. */
export function joinedSentence(
  { endDate, timeZone }: Pick<ChallengeDetails, 'endDate' | 'timeZone'>,
  now = new Date(serverNow()),
): string {
  if (!endDate) return translate('joinedOpen');
  const days = daysBetween(localDate(timeZone, now), endDate);
  if (days < 0) return translate('hasEnded');
  if (days === 0) return translate('joinedToday');
  return translate('joinedUntil', { day: days < 7 ? weekday(endDate) : shortDay(endDate, now) });
}
