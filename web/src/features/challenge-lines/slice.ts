import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ChallengeLine } from '@wayquest/contracts';
import type { Loading } from '../../shared/lib/loading.ts';
import { sessionEnded } from '../../shared/saga/request.ts';
import { loggedOut } from '../auth/slice.ts';

/** Everyone's lines of the challenge that is looked at. */
interface Participants {
  challengeId: number;
  /** For whom they were asked: whose own part in it is known. */
  userId: number | undefined;
  state: Loading;
  items: ChallengeLine[];
}

interface ChallengeLinesState {
  /** The person's own lines. */
  items: ChallengeLine[];
  list: Loading;
  error: string | null;
  participants: Participants | null;
  pending: 'join' | 'leave' | 'complete' | null;
  actionError: string | null;
}

const initialState: ChallengeLinesState = {
  items: [],
  list: 'idle',
  error: null,
  participants: null,
  pending: null,
  actionError: null,
};

function upsert(items: ChallengeLine[], line: ChallengeLine) {
  const index = items.findIndex(({ id }) => id === line.id);
  if (index === -1) items.push(line);
  else items[index] = line;
}

function keep(state: ChallengeLinesState, line: ChallengeLine) {
  state.pending = null;
  upsert(state.items, line);
  if (state.participants?.challengeId === line.challengeId) upsert(state.participants.items, line);
}

export const challengeLinesSlice = createSlice({
  name: 'challengeLines',
  initialState,
  reducers: {
    linesRequested: (state) => {
      state.list = state.list === 'ready' ? 'ready' : 'loading';
    },
    linesReceived: (state, { payload }: PayloadAction<ChallengeLine[]>) => {
      state.items = payload;
      state.list = 'ready';
    },
    linesFailed: (state, { payload }: PayloadAction<string>) => {
      state.list = 'failed';
      state.error = payload;
    },
    participantsRequested: (
      state,
      {
        payload: { challengeId, userId },
      }: PayloadAction<{ challengeId: number; userId: number | undefined }>,
    ) => {
      const known = state.participants;
      state.actionError = null;
      if (known?.challengeId === challengeId && known.userId === userId && known.state === 'ready') return;
      state.participants = { challengeId, userId, state: 'loading', items: [] };
    },
    participantsReceived: (
      state,
      { payload }: PayloadAction<{ lines: ChallengeLine[]; own: ChallengeLine[] }>,
    ) => {
      if (state.participants) Object.assign(state.participants, { state: 'ready', items: payload.lines });
      for (const line of payload.own) upsert(state.items, line);
    },
    participantsFailed: (state) => {
      if (state.participants) state.participants.state = 'failed';
    },
    actionErrorCleared: (state) => {
      state.actionError = null;
    },
    joinRequested: (state, _action: PayloadAction<number>) => {
      state.pending = 'join';
      state.actionError = null;
    },
    leaveRequested: (state, _action: PayloadAction<ChallengeLine>) => {
      state.pending = 'leave';
      state.actionError = null;
    },
    completeRequested: (state, _action: PayloadAction<ChallengeLine>) => {
      state.pending = 'complete';
      state.actionError = null;
    },
    lineAdded: (state, { payload }: PayloadAction<ChallengeLine>) => keep(state, payload),
    lineFinished: (state, { payload }: PayloadAction<ChallengeLine>) => keep(state, payload),
    lineRemoved: (state, { payload }: PayloadAction<number>) => {
      state.pending = null;
      state.items = state.items.filter(({ id }) => id !== payload);
      if (state.participants) {
        state.participants.items = state.participants.items.filter(({ id }) => id !== payload);
      }
    },
    actionFailed: (state, { payload }: PayloadAction<string>) => {
      state.pending = null;
      state.actionError = payload;
    },
  },
  extraReducers: (builder) => {
    builder.addCase(loggedOut, () => initialState).addCase(sessionEnded, () => initialState);
  },
});

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
  actionFailed,
} = challengeLinesSlice.actions;
