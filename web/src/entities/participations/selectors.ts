import { createSelector } from '@reduxjs/toolkit';
import type { Participation } from '@wayquest/contracts';
import { participationsOf, participationsSlice } from './slice.ts';

/** The part of the state that these selectors read. */
export type ParticipationsState = Parameters<typeof participationsSlice.selectSlice>[0];

const selectState = (state: ParticipationsState) => participationsSlice.selectSlice(state);

export const selectParticipationsState = (state: ParticipationsState) => selectState(state).list.state;
export const selectParticipationsError = (state: ParticipationsState) => selectState(state).list.error;

/** The person's action on a challenge that is in progress. */
export const selectPendingAction = (state: ParticipationsState) => selectState(state).action.kind;
export const selectActionError = (state: ParticipationsState) => selectState(state).action.error;

/** Completions made offline that the server has not accepted yet. */
export const selectPendingCompletions = (state: ParticipationsState) => selectState(state).pending;

const noParticipants: Participation[] = [];

/** The participants of the open challenge, and the state of their request. */
export const selectParticipants = (state: ParticipationsState) => {
  const { participants } = selectState(state);
  return participants ? participationsOf(participants) : noParticipants;
};
export const selectParticipantsState = (state: ParticipationsState) =>
  selectState(state).participants?.request.state ?? 'idle';

const selectOwnParticipations = (state: ParticipationsState) => participationsOf(selectState(state));

/** The person's participations that are not completed. */
export const selectUncompleted = createSelector(selectOwnParticipations, (participations) =>
  participations.filter(({ completed }) => !completed),
);

/** The person's participations by challenge. */
export const selectOwnByChallenge = createSelector(
  selectOwnParticipations,
  (participations) =>
    new Map(participations.map((participation) => [participation.challengeId, participation])),
);

/** The person's participation in a challenge, if they joined. */
export const selectOwnParticipation = (state: ParticipationsState, challengeId: number) =>
  selectOwnByChallenge(state).get(challengeId);

/** Whether a person's participation in a challenge is known, and no older response is pending. */
export function selectIsParticipationKnown(
  state: ParticipationsState,
  challengeId: number,
  userId: number | undefined,
) {
  const { list, participants } = selectState(state);
  const isRequested = participants?.challengeId === challengeId && participants.userId === userId;
  return (isRequested ? participants.request : list).state === 'ready';
}
