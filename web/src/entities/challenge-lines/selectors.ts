import { createSelector } from '@reduxjs/toolkit';
import type { ChallengeLine } from '@wayquest/contracts';
import { challengeLinesSlice, linesOf } from './slice.ts';

/** What the selectors of this feature look into. */
export type LinesState = Parameters<typeof challengeLinesSlice.selectSlice>[0];

const selectState = (state: LinesState) => challengeLinesSlice.selectSlice(state);

export const selectLinesState = (state: LinesState) => selectState(state).list.state;
export const selectLinesError = (state: LinesState) => selectState(state).list.error;

/** What the person is doing with a challenge just now. */
export const selectPendingAction = (state: LinesState) => selectState(state).action.kind;
export const selectActionError = (state: LinesState) => selectState(state).action.error;

/** What the person completed offline and the server has not answered yet. */
export const selectPendingCompletions = (state: LinesState) => selectState(state).pending;

const nobody: ChallengeLine[] = [];

/** Everyone's lines of the challenge that is looked at, and how far they have come. */
export const selectParticipants = (state: LinesState) => {
  const { participants } = selectState(state);
  return participants ? linesOf(participants) : nobody;
};
export const selectParticipantsState = (state: LinesState) =>
  selectState(state).participants?.request.state ?? 'idle';

const selectOwnLines = (state: LinesState) => linesOf(selectState(state));

/** The person's lines that still wait to be completed. */
export const selectUncompleted = createSelector(selectOwnLines, (lines) =>
  lines.filter(({ completed }) => !completed),
);

/** The person's lines, by the challenges that they are in. */
export const selectOwnByChallenge = createSelector(
  selectOwnLines,
  (lines) => new Map(lines.map((line) => [line.challengeId, line])),
);

/** The person's own line of a challenge, if they are in. */
export const selectOwnLine = (state: LinesState, challengeId: number) =>
  selectOwnByChallenge(state).get(challengeId);

/** Whether a person's line of a challenge is known, and no older response is on its way. */
export function selectIsPartKnown(state: LinesState, challengeId: number, userId: number | undefined) {
  const { list, participants } = selectState(state);
  const isAsked = participants?.challengeId === challengeId && participants.userId === userId;
  return (isAsked ? participants.request : list).state === 'ready';
}
