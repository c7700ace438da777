import type { ChallengeDetails } from '@wayquest/contracts';
import dayjs from 'dayjs';

type Dated = Pick<ChallengeDetails, 'startDate' | 'endDate'>;

const long = (day: string) => dayjs(day).format('MMMM D YYYY');

/** 'May 3 2025 – May 9 2025', or what is known of it. */
export function dateRange({ startDate, endDate }: Dated): string {
  if (startDate && endDate) return `${long(startDate)} – ${long(endDate)}`;
  if (startDate) return `From ${long(startDate)}`;
  if (endDate) return `Until ${long(endDate)}`;
  return 'Always open';
}

/** The day it is in a time zone, as YYYY-MM-DD. */
export const dayIn = (timeZone: string, now: Date) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    now,
  );

export type Phase = 'upcoming' | 'open' | 'ended';

/** Days count in the time zone of the place, the last one included. */
export function phaseOf(challenge: Dated & Pick<ChallengeDetails, 'timeZone'>, now = new Date()): Phase {
  const today = dayIn(challenge.timeZone, now);
  if (challenge.startDate && today < challenge.startDate) return 'upcoming';
  if (challenge.endDate && today > challenge.endDate) return 'ended';
  return 'open';
}

/** What the dates mean today: 'Open until May 9'. */
export function phaseSentence(
  challenge: Dated & Pick<ChallengeDetails, 'timeZone'>,
  now = new Date(),
): string {
  const short = (day: string | null) => (day ? dayjs(day).format('MMMM D') : '');
  const phase = phaseOf(challenge, now);
  if (phase === 'upcoming') return `Opens on ${short(challenge.startDate)}`;
  if (phase === 'ended') return `Ended on ${short(challenge.endDate)}`;
  return challenge.endDate ? `Open until ${short(challenge.endDate)}` : 'Always open';
}
