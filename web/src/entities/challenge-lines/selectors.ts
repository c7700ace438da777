import { createSelector } from '@reduxjs/toolkit';
import type { ChallengeLine } from '@wayquest/contracts';
import { challengeLinesSlice, linesOf } from './slice.ts';

/** The part of the state that these selectors read. */
export type LinesState = Parameters<typeof challengeLinesSlice.selectSlice>[0];

const selectState = (state: LinesState) => challengeLinesSlice.selectSlice(state);

export const selectLinesState = (state: LinesState) => selectState(state).list.state;
export const selectLinesError = (state: LinesState) => selectState(state).list.error;

/** The person's action on a challenge that is in progress. */
export const selectPendingAction = (state: LinesState) => selectState(state).action.kind;
export const selectActionError = (state: LinesState) => selectState(state).action.error;

/** Completions made offline that the server has not accepted yet. */
export const selectPendingCompletions = (state: LinesState) => selectState(state).pending;

const nobody: ChallengeLine[] = [];

/** The participants of the open challenge, and the state of their request. */
export const selectParticipants = (state: LinesState) => {
  const { participants } = selectState(state);
  return participants ? linesOf(participants) : nobody;
};
export const selectParticipantsState = (state: LinesState) =>
  selectState(state).participants?.request.state ?? 'idle';

const selectOwnLines = (state: LinesState) => linesOf(selectState(state));

/** The person's participations that are not completed. */
export const selectUncompleted = createSelector(selectOwnLines, (lines) =>
  lines.filter(({ completed }) => !completed),
);

/** The person's participations by challenge. */
export const selectOwnByChallenge = createSelector(
  selectOwnLines,
  (lines) => new Map(lines.map((line) => [line.challengeId, line])),
);

/** The person's participation in a challenge, if they joined. */
export const selectOwnLine = (state: LinesState, challengeId: number) =>
  selectOwnByChallenge(state).get(challengeId);

/** Whether a person's participation in a challenge is known, and no older response is pending. */
export function selectIsPartKnown(state: LinesState, challengeId: number, userId: number | undefined) {
  const { list, participants } = selectState(state);
  const isAsked = participants?.challengeId === challengeId && participants.userId === userId;
  return (isAsked ? participants.request : list).state === 'ready';
}
