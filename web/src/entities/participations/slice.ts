import {
  createAction,
  createEntityAdapter,
  createSelector,
  createSlice,
  type EntityState,
  type PayloadAction,
} from '@reduxjs/toolkit';
import type { Award, Participation } from '@wayquest/contracts';
import {
  failed,
  idle,
  loading,
  type RequestStatus,
  ready,
  refreshing,
} from '../../shared/lib/request-status.ts';
import type { PendingCompletion } from '../../shared/lib/unsent-items.ts';
import { reducer } from '../../shared/saga/reducer.ts';
import { isSessionEnd } from '../auth/slice.ts';
import { challengeDeleted, challengeGone } from '../challenges/slice.ts';

/** The participants of the open challenge. */
interface Participants extends EntityState<Participation, number> {
  challengeId: number;
  /** The user who requested them, whose own participation is therefore known. */
  userId: number | undefined;
  request: RequestStatus;
}

/** The challenge and user of the loaded participants. */
type ParticipantsQuery = Pick<Participants, 'challengeId' | 'userId'>;

/** The person's own participations. */
interface OwnParticipationsState extends EntityState<Participation, number> {
  list: RequestStatus;
  participants: Participants | null;
  action: RequestStatus & { kind: 'join' | 'leave' | 'complete' | null };
  /** Completions that the server has not accepted yet: those that wait for it, and those that it has rejected. */
  pending: PendingCompletion[];
}

const participations = createEntityAdapter<Participation>();

const noAction = { ...idle, kind: null };

const initialState: OwnParticipationsState = participations.getInitialState({
  list: idle,
  participants: null,
  action: noAction,
  pending: [],
});

/** The result of a completion. */
export interface CompletionResult {
  /** The completed participation. */
  participation: Participation;
  from: number;
  to: number;
  award: Award;
  failedCheckIn?: FailedCheckIn | undefined;
}

/** Why a check-in failed: too far away, or the position is unknown. */
export type FailedCheckIn = 'far' | 'denied' | 'not-found';

/** Whether the person checks in: no, if possible, or because the challenge requires it. */
export type CheckIn = 'no' | 'chosen' | 'required';

interface Completing {
  participation: Participation;
  checkIn: CheckIn;
}

export const pointsCollected = createAction<CompletionResult>('challengeLines/pointsCollected');

function setParticipation(state: OwnParticipationsState, participation: Participation) {
  state.action = noAction;
  participations.setOne(state, participation);
  if (state.participants?.challengeId === participation.challengeId)
    participations.setOne(state.participants, participation);
}

/** Removes the participations of a deleted challenge. */
function dropParticipations(state: OwnParticipationsState, { payload: challengeId }: PayloadAction<number>) {
  const own = participationsOf(state).filter((participation) => participation.challengeId === challengeId);
  participations.removeMany(
    state,
    own.map(({ id }) => id),
  );
}

export const participationsSlice = createSlice({
  // As the specification names this part of the client's data.
  name: 'challengeLines',
  initialState,
  reducers: {
    participationsRequested: (state) => {
      state.list = refreshing(state.list);
    },
    participationsReceived: (state, { payload }: PayloadAction<Participation[]>) => {
      participations.setAll(state, payload);
      state.list = ready;
    },
    participationsFailed: (state, { payload }: PayloadAction<string>) => {
      state.list = failed(payload);
    },
    participantsRequested: (
      state,
      { payload: { challengeId, userId } }: PayloadAction<ParticipantsQuery>,
    ) => {
      const known = state.participants;
      state.action = noAction;
      if (known?.challengeId === challengeId && known.userId === userId && known.request.state === 'ready')
        return;
      state.participants = participations.getInitialState({ challengeId, userId, request: loading });
    },
    participantsReceived: (
      state,
      { payload }: PayloadAction<{ participations: Participation[]; own: Participation[] }>,
    ) => {
      if (state.participants) {
        participations.setAll(state.participants, payload.participations);
        state.participants.request = ready;
      }
      participations.setMany(state, payload.own);
    },
    participantsFailed: (state, { payload }: PayloadAction<string>) => {
      if (state.participants) state.participants.request = failed(payload);
    },
    actionErrorCleared: (state) => {
      state.action = noAction;
    },
    joinRequested: (state, _action: PayloadAction<number>) => {
      state.action = { ...loading, kind: 'join' };
    },
    leaveRequested: (state, _action: PayloadAction<Participation>) => {
      state.action = { ...loading, kind: 'leave' };
    },
    completeRequested: (state, _action: PayloadAction<Completing>) => {
      state.action = { ...loading, kind: 'complete' };
    },
    participationAdded: (state, { payload }: PayloadAction<Participation>) =>
      setParticipation(state, payload),
    participationCompleted: (state, { payload }: PayloadAction<Participation>) =>
      setParticipation(state, payload),
    participationRemoved: (state, { payload }: PayloadAction<number>) => {
      state.action = noAction;
      participations.removeOne(state, payload);
      if (state.participants) participations.removeOne(state.participants, payload);
    },
    completionStored: (state, { payload }: PayloadAction<PendingCompletion>) => {
      state.action = noAction;
      state.pending = [
        ...state.pending.filter(({ participationId }) => participationId !== payload.participationId),
        payload,
      ];
    },
    /** The server has accepted it, or the person has discarded it. */
    completionDropped: (state, { payload }: PayloadAction<number>) => {
      state.pending = state.pending.filter(({ participationId }) => participationId !== payload);
    },
    /** Completions from an earlier visit, or from another tab. */
    pendingRestored: (state, { payload }: PayloadAction<PendingCompletion[]>) => {
      state.pending = payload;
    },
    /** The person tries again to send a rejected completion, or discards it. */
    completionRetried: (_state, _action: PayloadAction<PendingCompletion>) => {},
    completionDiscarded: (_state, _action: PayloadAction<PendingCompletion>) => {},
    actionFailed: (state, { payload }: PayloadAction<string>) => {
      state.action = { ...failed(payload), kind: null };
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(challengeGone, dropParticipations)
      .addCase(challengeDeleted, dropParticipations)
      .addMatcher(isSessionEnd, () => initialState);
  },
}).injectInto(reducer);

export const {
  participationsRequested,
  participationsReceived,
  participationsFailed,
  participantsRequested,
  participantsReceived,
  participantsFailed,
  actionErrorCleared,
  joinRequested,
  leaveRequested,
  completeRequested,
  participationAdded,
  participationCompleted,
  participationRemoved,
  completionStored,
  completionDropped,
  pendingRestored,
  completionRetried,
  completionDiscarded,
  actionFailed,
} = participationsSlice.actions;
/** The participations of a list, in their order. */
export const { selectAll: participationsOf } = participations.getSelectors();

/** The part of the state that these selectors read. */
export type ParticipationsState = Parameters<typeof participationsSlice.selectSlice>[0];

const selectState = (state: ParticipationsState) => participationsSlice.selectSlice(state);

export const selectParticipationsState = (state: ParticipationsState) => selectState(state).list.state;
export const selectParticipationsError = (state: ParticipationsState) => selectState(state).list.error;

/** The person's action on a challenge that is in progress. */
export const selectPendingAction = (state: ParticipationsState) => selectState(state).action.kind;
export const selectActionError = (state: ParticipationsState) => selectState(state).action.error;

const selectPending = (state: ParticipationsState) => selectState(state).pending;

/** Completions that wait for the server. */
export const selectPendingCompletions = createSelector(selectPending, (pending) =>
  pending.filter(({ refused }) => refused === undefined),
);

/** Completions that the server has rejected when they arrived. */
export const selectRefusedCompletions = createSelector(selectPending, (pending) =>
  pending.filter(({ refused }) => refused !== undefined),
);

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
