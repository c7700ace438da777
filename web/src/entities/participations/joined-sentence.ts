import { type ChallengeDetails, localDate } from '@wayquest/contracts';
import { daysBetween, shortDay, weekday } from '../../shared/lib/time.ts';
import { translateChallenge as translate } from '../challenges/translations.ts';

/** 'You're in. It ends on Sunday.' within a week, otherwise with the date. */
export function joinedSentence(
  { endDate, timeZone }: Pick<ChallengeDetails, 'endDate' | 'timeZone'>,
  now = new Date(),
): string {
  if (!endDate) return translate('joinedOpen');
  const days = daysBetween(localDate(timeZone, now), endDate);
  if (days === 0) return translate('joinedToday');
  return translate('joinedUntil', { day: days < 7 ? weekday(endDate) : shortDay(endDate) });
}
