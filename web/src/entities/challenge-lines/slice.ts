import {
  createAction,
  createEntityAdapter,
  createSlice,
  type EntityState,
  type PayloadAction,
} from '@reduxjs/toolkit';
import type { Award, ChallengeLine } from '@wayquest/contracts';
import type { PendingCompletion } from '../../shared/lib/pending-completions.ts';
import {
  failed,
  idle,
  loading,
  type RequestStatus,
  ready,
  refreshing,
} from '../../shared/lib/request-status.ts';
import { reducer } from '../../shared/saga/reducer.ts';
import { sessionOver } from '../auth/slice.ts';
import { challengeDeleted, challengeGone } from '../challenges/slice.ts';

/** The participants of the open challenge. */
interface Participants extends EntityState<ChallengeLine, number> {
  challengeId: number;
  /** The user who requested them, whose own participation is therefore known. */
  userId: number | undefined;
  request: RequestStatus;
}

/** What the loaded participants belong to. */
type ParticipantsQuery = Pick<Participants, 'challengeId' | 'userId'>;

/** The person's own participations. */
interface ChallengeLinesState extends EntityState<ChallengeLine, number> {
  list: RequestStatus;
  participants: Participants | null;
  action: RequestStatus & { kind: 'join' | 'leave' | 'complete' | null };
  /** Completions made offline that the server has not accepted yet. */
  pending: PendingCompletion[];
}

const lines = createEntityAdapter<ChallengeLine>();

const noAction = { ...idle, kind: null };

const initialState: ChallengeLinesState = lines.getInitialState({
  list: idle,
  participants: null,
  action: noAction,
  pending: [],
});

/** The result of a completion. */
export interface Collected {
  /** The completed participation. */
  line: ChallengeLine;
  from: number;
  to: number;
  award: Award;
  failedCheckIn?: FailedCheckIn | undefined;
}

/** Why a check-in failed: too far away, or the position is unknown. */
export type FailedCheckIn = 'far' | 'unknown';

/** Whether the person checks in: no, if possible, or because the challenge requires it. */
export type CheckIn = 'no' | 'chosen' | 'required';

interface Completing {
  line: ChallengeLine;
  checkIn: CheckIn;
}

export const pointsCollected = createAction<Collected>('challengeLines/pointsCollected');

function keep(state: ChallengeLinesState, line: ChallengeLine) {
  state.action = noAction;
  lines.setOne(state, line);
  if (state.participants?.challengeId === line.challengeId) lines.setOne(state.participants, line);
}

/** Removes the participations of a deleted challenge. */
function dropLines(state: ChallengeLinesState, { payload: challengeId }: PayloadAction<number>) {
  const own = linesOf(state).filter((line) => line.challengeId === challengeId);
  lines.removeMany(
    state,
    own.map(({ id }) => id),
  );
}

export const challengeLinesSlice = createSlice({
  name: 'challengeLines',
  initialState,
  reducers: {
    linesRequested: (state) => {
      state.list = refreshing(state.list);
    },
    linesReceived: (state, { payload }: PayloadAction<ChallengeLine[]>) => {
      lines.setAll(state, payload);
      state.list = ready;
    },
    linesFailed: (state, { payload }: PayloadAction<string>) => {
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
      state.participants = lines.getInitialState({ challengeId, userId, request: loading });
    },
    participantsReceived: (
      state,
      { payload }: PayloadAction<{ lines: ChallengeLine[]; own: ChallengeLine[] }>,
    ) => {
      if (state.participants) {
        lines.setAll(state.participants, payload.lines);
        state.participants.request = ready;
      }
      lines.setMany(state, payload.own);
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
    leaveRequested: (state, _action: PayloadAction<ChallengeLine>) => {
      state.action = { ...loading, kind: 'leave' };
    },
    completeRequested: (state, _action: PayloadAction<Completing>) => {
      state.action = { ...loading, kind: 'complete' };
    },
    lineAdded: (state, { payload }: PayloadAction<ChallengeLine>) => keep(state, payload),
    lineFinished: (state, { payload }: PayloadAction<ChallengeLine>) => keep(state, payload),
    lineRemoved: (state, { payload }: PayloadAction<number>) => {
      state.action = noAction;
      lines.removeOne(state, payload);
      if (state.participants) lines.removeOne(state.participants, payload);
    },
    completionKept: (state, { payload }: PayloadAction<PendingCompletion>) => {
      state.action = noAction;
      state.pending = [...state.pending.filter(({ lineId }) => lineId !== payload.lineId), payload];
    },
    /** The server has accepted or rejected it. */
    completionDropped: (state, { payload }: PayloadAction<number>) => {
      state.pending = state.pending.filter(({ lineId }) => lineId !== payload);
    },
    pendingRestored: (state, { payload }: PayloadAction<PendingCompletion[]>) => {
      state.pending = payload;
    },
    actionFailed: (state, { payload }: PayloadAction<string>) => {
      state.action = { ...failed(payload), kind: null };
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(challengeGone, dropLines)
      .addCase(challengeDeleted, dropLines)
      .addMatcher(sessionOver, () => initialState);
  },
}).injectInto(reducer);

export const {
  linesRequested,
  linesReceived,
  linesFailed,
  participantsRequested,
  participantsReceived,
  participantsFailed,
  actionErrorCleared,
  joinRequested,
  leaveRequested,
  completeRequested,
  lineAdded,
  lineFinished,
  lineRemoved,
  completionKept,
  completionDropped,
  pendingRestored,
  actionFailed,
} = challengeLinesSlice.actions;
/** The participations of a list, in their order. */
export const { selectAll: linesOf } = lines.getSelectors();
