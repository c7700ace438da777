import type { ChallengeLine } from '@wayquest/contracts';
import { phaseOf } from '../../entities/challenges/dates.ts';

/** After every day there is. */
const never = '9999-12-31';

/** Joined challenges that can still be completed: those that end first come first, endless ones last. */
export const byWhatEndsFirst = (lines: ChallengeLine[], now = new Date()): ChallengeLine[] =>
  lines
    .filter(({ completed, challenge }) => !completed && phaseOf(challenge, now) !== 'ended')
    .sort((one, other) => {
      const [ends, otherEnds] = [one.challenge.endDate ?? never, other.challenge.endDate ?? never];
      return ends === otherEnds ? other.id - one.id : ends < otherEnds ? -1 : 1;
    });
