import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { OpenSession } from '@wayquest/contracts';
import { sessionOver } from '../../entities/auth/slice.ts';
import {
  failed,
  idle,
  loading,
  notRefreshed,
  type RequestStatus,
  ready,
  refreshing,
} from '../../shared/lib/request-status.ts';

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

interface AccountState {
  sessions: OpenSession[];
  request: RequestStatus;
  /** Of what ends sessions. */
  ending: RequestStatus;
  /** Of the change of the password. */
  password: RequestStatus;
}

const initialState: AccountState = { sessions: [], request: idle, ending: idle, password: idle };

/** How the person gets in, and where they are. */
export const accountSlice = createSlice({
  name: 'account',
  initialState,
  reducers: {
    sessionsRequested: (state) => {
      state.request = refreshing(state.request);
      state.ending = idle;
      state.password = idle;
    },
    sessionsReceived: (state, { payload }: PayloadAction<OpenSession[]>) => {
      state.sessions = payload;
      state.request = ready;
    },
    sessionsFailed: (state, { payload }: PayloadAction<string>) => {
      state.request = notRefreshed(state.request, payload);
    },
    sessionEndSubmitted: (state, _action: PayloadAction<string>) => {
      state.ending = loading;
    },
    sessionEndedThere: (state, { payload }: PayloadAction<string>) => {
      state.sessions = state.sessions.filter(({ id }) => id !== payload);
      state.ending = ready;
    },
    everySessionEndSubmitted: (state) => {
      state.ending = loading;
    },
    endingFailed: (state, { payload }: PayloadAction<string>) => {
      state.ending = failed(payload);
    },
    passwordSubmitted: (state, _action: PayloadAction<PasswordChange>) => {
      state.password = loading;
    },
    passwordChanged: (state) => {
      state.password = ready;
    },
    passwordFailed: (state, { payload }: PayloadAction<string>) => {
      state.password = failed(payload);
    },
  },
  extraReducers: (builder) => {
    builder.addMatcher(sessionOver, () => initialState);
  },
  selectors: {
    selectSessions: (state) => state.sessions,
    selectSessionsRequest: (state) => state.request,
    selectEnding: (state) => state.ending,
    selectPasswordRequest: (state) => state.password,
  },
});

export const {
  sessionsRequested,
  sessionsReceived,
  sessionsFailed,
  sessionEndSubmitted,
  sessionEndedThere,
  everySessionEndSubmitted,
  endingFailed,
  passwordSubmitted,
  passwordChanged,
  passwordFailed,
} = accountSlice.actions;
export const { selectSessions, selectSessionsRequest, selectEnding, selectPasswordRequest } =
  accountSlice.selectors;
