import type { ChallengeDetails } from '@wayquest/contracts';
import { dayIn } from '@wayquest/contracts/day-in';
import { longDay, shortDay } from '../../shared/lib/days.ts';

type Dated = Pick<ChallengeDetails, 'startDate' | 'endDate'>;
type Placed = Dated & Pick<ChallengeDetails, 'timeZone'>;

/** 'May 3 2025 – May 9 2025', or what is known of it. */
export function dateRange({ startDate, endDate }: Dated): string {
  if (startDate && endDate) return `${longDay(startDate)} – ${longDay(endDate)}`;
  if (startDate) return `From ${longDay(startDate)}`;
  if (endDate) return `Until ${longDay(endDate)}`;
  return 'Always open';
}

/** Days count in the time zone of the place, the last one included. */
export function phaseOf({ startDate, endDate, timeZone }: Placed, now = new Date()) {
  const today = dayIn(timeZone, now);
  if (startDate && today < startDate) return 'upcoming';
  if (endDate && today > endDate) return 'ended';
  return 'open';
}

/** What the dates mean today: 'Open until May 9'. */
export function phaseSentence(challenge: Placed, now = new Date()): string {
  const { startDate, endDate } = challenge;
  const phase = phaseOf(challenge, now);
  if (startDate && phase === 'upcoming') return `Opens on ${shortDay(startDate)}`;
  if (!endDate) return 'Open now';
  return phase === 'ended' ? `Ended on ${shortDay(endDate)}` : `Open until ${shortDay(endDate)}`;
}
