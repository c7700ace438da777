import type { ChallengeDetails } from '@wayquest/contracts';
import { dayIn } from '@wayquest/contracts/day-in';
import { daysBetween, shortDay, weekday } from '../../shared/lib/days.ts';

/** 'You're in. It ends on Sunday.' within a week, else with the date. */
export function joinedSentence(
  { endDate, timeZone }: Pick<ChallengeDetails, 'endDate' | 'timeZone'>,
  now = new Date(),
): string {
  if (!endDate) return "You're in. Go whenever you like.";
  const days = daysBetween(dayIn(timeZone, now), endDate);
  if (days === 0) return "You're in. It ends today.";
  return `You're in. It ends on ${days < 7 ? weekday(endDate) : shortDay(endDate)}.`;
}
