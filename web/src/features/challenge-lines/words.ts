import type { ChallengeDetails } from '@wayquest/contracts';
import dayjs from 'dayjs';

/** 'You're in. It ends on Sunday.' within a week, else with the date. */
export function joinedSentence({ endDate }: Pick<ChallengeDetails, 'endDate'>, now = dayjs()): string {
  if (!endDate) return "You're in. Go whenever you like.";
  const end = dayjs(endDate);
  const days = end.startOf('day').diff(now.startOf('day'), 'day');
  if (days === 0) return "You're in. It ends today.";
  if (days > 0 && days < 7) return `You're in. It ends on ${end.format('dddd')}.`;
  return `You're in. It ends on ${end.format('MMMM D')}.`;
}
