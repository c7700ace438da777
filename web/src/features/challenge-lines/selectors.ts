import { createSelector } from '@reduxjs/toolkit';
import { challengeLinesSlice } from './slice.ts';

/** What the selectors of this feature look into. */
export type LinesState = Parameters<typeof challengeLinesSlice.selectSlice>[0];

const selectState = (state: LinesState) => challengeLinesSlice.selectSlice(state);

export const selectLinesState = (state: LinesState) => selectState(state).list;
export const selectLinesError = (state: LinesState) => selectState(state).error;
export const selectPendingAction = (state: LinesState) => selectState(state).pending;
export const selectActionError = (state: LinesState) => selectState(state).actionError;
export const selectParticipants = (state: LinesState) => selectState(state).participants;

/** The person's lines that still wait to be completed. */
export const selectUncompleted = createSelector(
  (state: LinesState) => selectState(state).items,
  (lines) => lines.filter(({ completed }) => !completed),
);

const selectByChallenge = createSelector(
  (state: LinesState) => selectState(state).items,
  (lines) => new Map(lines.map((line) => [line.challengeId, line])),
);

/** The person's own line of a challenge, if they are in. */
export const selectOwnLine = (state: LinesState, challengeId: number) =>
  selectByChallenge(state).get(challengeId);

/** The challenges that the person has completed. */
export const selectCompletedIds = createSelector(
  (state: LinesState) => selectState(state).items,
  (lines) => new Set(lines.filter(({ completed }) => completed).map(({ challengeId }) => challengeId)),
);
