import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Account, ActiveSession } from '@wayquest/contracts';
import { isSessionEnd } from '../../entities/auth/slice.ts';
import {
  failed,
  idle,
  loading,
  type RequestStatus,
  ready,
  refreshFailed,
  refreshing,
} from '../../shared/lib/request-status.ts';
import { reducer } from '../../shared/saga/reducer.ts';

export interface PasswordChange {
  /** Missing for an account without a password. */
  currentPassword?: string;
  newPassword: string;
}

export interface EmailChange {
  email: string;
  currentPassword?: string;
}

export interface DeletionRequest {
  /** Missing for an account without a password. */
  currentPassword?: string;
}

interface AccountState {
  account: Account | null;
  sessions: ActiveSession[];
  request: RequestStatus;
  /** Request that ends sessions. */
  ending: RequestStatus;
  /** Change of the password. */
  password: RequestStatus;
  /** Request of the link that confirms the address. */
  link: RequestStatus;
  /** Request of the deletion. */
  deletion: RequestStatus;
  /** Whether the server requires the password for the link. */
  passwordNeeded: boolean;
}

const initialState: AccountState = {
  account: null,
  sessions: [],
  request: idle,
  ending: idle,
  password: idle,
  link: idle,
  deletion: idle,
  passwordNeeded: false,
};

/** The state of the person's account page. */
export const accountSlice = createSlice({
  name: 'account',
  initialState,
  reducers: {
    sessionsRequested: (state) => {
      state.request = refreshing(state.request);
      state.ending = idle;
      state.password = idle;
      state.link = idle;
      state.deletion = idle;
      state.passwordNeeded = false;
    },
    sessionsReceived: (
      state,
      { payload }: PayloadAction<{ account: Account; sessions: ActiveSession[] }>,
    ) => {
      state.account = payload.account;
      state.sessions = payload.sessions;
      state.request = ready;
    },
    sessionsFailed: (state, { payload }: PayloadAction<string>) => {
      state.request = refreshFailed(state.request, payload);
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
    deletionSubmitted: (state, _action: PayloadAction<DeletionRequest>) => {
      state.deletion = loading;
    },
    deletionFailed: (state, { payload }: PayloadAction<string>) => {
      state.deletion = failed(payload);
    },
    addressClaimed: (state, _action: PayloadAction<EmailChange>) => {
      state.link = loading;
    },
    linkSent: (state) => {
      state.link = ready;
      state.passwordNeeded = false;
    },
    passwordRequired: (state) => {
      state.passwordNeeded = true;
    },
    linkFailed: (state, { payload }: PayloadAction<string>) => {
      state.link = failed(payload);
    },
  },
  extraReducers: (builder) => {
    builder.addMatcher(isSessionEnd, () => initialState);
  },
  selectors: {
    selectAccount: (state) => state.account,
    selectLink: (state) => state.link,
    selectPasswordNeeded: (state) => state.passwordNeeded,
    selectSessions: (state) => state.sessions,
    selectSessionsRequest: (state) => state.request,
    selectEnding: (state) => state.ending,
    selectPasswordRequest: (state) => state.password,
    selectDeletion: (state) => state.deletion,
  },
}).injectInto(reducer);

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
  deletionSubmitted,
  deletionFailed,
  addressClaimed,
  linkSent,
  passwordRequired,
  linkFailed,
} = accountSlice.actions;
export const {
  selectAccount,
  selectLink,
  selectPasswordNeeded,
  selectSessions,
  selectSessionsRequest,
  selectEnding,
  selectPasswordRequest,
  selectDeletion,
} = accountSlice.selectors;
