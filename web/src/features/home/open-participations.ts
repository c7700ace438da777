import type { Participation } from '@wayquest/contracts';
import { phaseOf } from '../../entities/challenges/dates.ts';
import { serverNow } from '../../shared/lib/server-time.ts';

/** Later than any date. */
const never = '9999-12-31';

/** Participations that can still be completed: those that end first come first, those without an end last. */
export const sortByEndDate = (
  participations: Participation[],
  now = new Date(serverNow()),
): Participation[] =>
  participations
    .filter(({ completed, challenge }) => !completed && phaseOf(challenge, now) !== 'ended')
    .sort((one, other) => {
      const [ends, otherEnds] = [one.challenge.endDate ?? never, other.challenge.endDate ?? never];
      return ends === otherEnds ? other.id - one.id : ends < otherEnds ? -1 : 1;
    });
