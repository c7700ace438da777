import { createSelector } from '@reduxjs/toolkit';
import { challengeLinesSlice } from './slice.ts';

type State = Parameters<typeof challengeLinesSlice.selectSlice>[0];

const selectState = (state: State) => challengeLinesSlice.selectSlice(state);

export const selectLinesState = (state: State) => selectState(state).list;
export const selectLinesError = (state: State) => selectState(state).error;
export const selectPendingAction = (state: State) => selectState(state).pending;
export const selectActionError = (state: State) => selectState(state).actionError;
export const selectParticipants = (state: State) => selectState(state).participants;

/** The person's lines that still wait to be completed. */
export const selectUncompleted = createSelector(
  (state: State) => selectState(state).items,
  (lines) => lines.filter(({ completed }) => !completed),
);

/** The person's own line of a challenge, if they are in. */
export const selectOwnLine = (state: State, challengeId: number) =>
  selectState(state).items.find((line) => line.challengeId === challengeId);
