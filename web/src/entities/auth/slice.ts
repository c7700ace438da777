import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import type { Me, PresentedCredential } from '@wayquest/contracts';
import { failed, idle, loading, type RequestStatus, ready } from '../../shared/lib/request-status.ts';
import { sessionEnded } from '../../shared/saga/request.ts';

export interface Credentials {
  username: string;
  password: string;
}

/** What a visit to Google ended with. */
interface LoginCode {
  code: string;
  /** Whether the account was made just then. */
  isNew: boolean;
}

/** A password chosen by a link of a mail. */
export interface PasswordChoice {
  token: string;
  password: string;
}

interface AuthState {
  user: Me | null;
  /** `starting` until it is known whether the kept token still counts; `failed` while that cannot be asked, and is tried again. */
  status: 'starting' | 'visitor' | 'member' | 'failed';
  /** Of the last attempt to begin a session, or to go on with one. */
  request: RequestStatus;
  /** Of the last step of the way back in by mail; a session may be resumed meanwhile. */
  mailStep: RequestStatus;
  /** Whether the account is of just now, and nothing has been asked of the person yet. */
  isNew: boolean;
}

const initialState: AuthState = {
  user: null,
  status: 'starting',
  request: idle,
  mailStep: idle,
  isNew: false,
};

const visitor: AuthState = { ...initialState, status: 'visitor' };

const begin = (state: AuthState) => {
  state.request = loading;
};

const beginMailStep = (state: AuthState) => {
  state.mailStep = loading;
};

export const authSlice = createSlice({
  name: 'auth',
  initialState,
  reducers: {
    sessionResumed: (state) => {
      state.status = 'starting';
      state.request = idle;
    },
    sessionWanted: () => {},
    tokenReceived: () => {},
    sessionUnanswered: (state, { payload }: PayloadAction<string>) => {
      state.status = 'failed';
      state.request = failed(payload);
    },
    loginSubmitted: (state, _action: PayloadAction<Credentials>) => {
      begin(state);
      state.isNew = false;
    },
    signupSubmitted: (state, _action: PayloadAction<Credentials>) => {
      begin(state);
      state.isNew = true;
    },
    welcomed: (state) => {
      state.isNew = false;
    },
    loginCodeReceived: (state, { payload }: PayloadAction<LoginCode>) => {
      begin(state);
      state.isNew = payload.isNew;
    },
    passkeyPresented: (state, _action: PayloadAction<PresentedCredential>) => {
      begin(state);
      state.isNew = false;
    },
    linkSubmitted: (state, _action: PayloadAction<string>) => beginMailStep(state),
    choiceSubmitted: (state, _action: PayloadAction<PasswordChoice>) => beginMailStep(state),
    addressSubmitted: (state, _action: PayloadAction<string>) => beginMailStep(state),
    mailStepDone: (state) => {
      state.mailStep = ready;
    },
    mailStepFailed: (state, { payload }: PayloadAction<string>) => {
      state.mailStep = failed(payload);
    },
    mailPageOpened: (state) => {
      state.mailStep = idle;
    },
    userReceived: (state, { payload }: PayloadAction<Me>) => {
      state.user = payload;
      state.status = 'member';
      state.request = ready;
    },
    pointsReceived: (state, { payload }: PayloadAction<number>) => {
      if (state.user) state.user.points = payload;
    },
    authFailed: (state, { payload }: PayloadAction<string>) => {
      state.request = failed(payload);
    },
    errorCleared: (state) => {
      state.request = idle;
    },
    logoutRequested: () => {},
    loggedOut: () => visitor,
  },
  extraReducers: (builder) => {
    builder.addCase(sessionEnded, () => visitor);
  },
  selectors: {
    selectUser: (state) => state.user,
    selectAuthStatus: (state) => state.status,
    selectIsSessionKnown: ({ status }) => status === 'member' || status === 'visitor',
    selectMailStep: (state) => state.mailStep,
    selectAuthPending: (state) => state.request.state === 'loading',
    selectAuthError: (state) => state.request.error,
    selectIsNew: (state) => state.isNew,
  },
});

export const {
  sessionResumed,
  sessionWanted,
  tokenReceived,
  sessionUnanswered,
  loginSubmitted,
  signupSubmitted,
  welcomed,
  loginCodeReceived,
  passkeyPresented,
  linkSubmitted,
  choiceSubmitted,
  addressSubmitted,
  mailStepDone,
  mailStepFailed,
  mailPageOpened,
  userReceived,
  pointsReceived,
  authFailed,
  errorCleared,
  logoutRequested,
  loggedOut,
} = authSlice.actions;

/** Clears the person's data when the session ends, for whatever reason. */
export const sessionOver = isAnyOf(loggedOut, sessionEnded);
