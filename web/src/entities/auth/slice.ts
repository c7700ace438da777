import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import type { CredentialAssertion, Me, ServerEventData } from '@wayquest/contracts';
import { failed, idle, loading, type RequestStatus, ready } from '../../shared/lib/request-status.ts';
import { sessionEnded } from '../../shared/saga/request.ts';

export interface Credentials {
  username: string;
  password: string;
}

interface NewCredentials extends Credentials {
  /** The code of an invitation, where one is needed. */
  invitation?: string;
  /** Where to write once the account is approved. */
  email?: string;
}

/** The result of a sign-in at another site. */
interface LoginCode {
  code: string;
  /** Whether the account was created by it. */
  isNew: boolean;
}

/** A password set by a link in a mail. */
interface PasswordChoice {
  token: string;
  password: string;
}

interface AuthState {
  user: Me | null;
  /** Version of the user's points in the newest event. */
  pointsVersion: number;
  /**
   * `starting` until it is known whether the stored token is valid; `failed` while the server does not respond, with
   * retries.
   */
  status: 'starting' | 'visitor' | 'member' | 'failed';
  /** The last attempt to start or resume a session. */
  request: RequestStatus;
  /** The last step of account recovery by mail; a session may be resumed at the same time. */
  mailStep: RequestStatus;
  /** Whether the account is new and the welcome steps have not been shown yet. */
  isNew: boolean;
}

const initialState: AuthState = {
  user: null,
  pointsVersion: 0,
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
    sessionRetryRequested: () => {},
    tokenReceived: () => {},
    sessionRequestFailed: (state, { payload }: PayloadAction<string>) => {
      state.status = 'failed';
      state.request = failed(payload);
    },
    loginSubmitted: (state, _action: PayloadAction<Credentials>) => {
      begin(state);
      state.isNew = false;
    },
    signupSubmitted: (state, _action: PayloadAction<NewCredentials>) => {
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
    passkeyPresented: (state, _action: PayloadAction<CredentialAssertion>) => {
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
    /** Events may arrive out of order, so an older total is ignored. */
    pointsReceived: (
      state,
      {
        payload: { points, pointsVersion = state.pointsVersion },
      }: PayloadAction<Pick<ServerEventData<'points'>, 'points' | 'pointsVersion'>>,
    ) => {
      if (!state.user || pointsVersion < state.pointsVersion) return;
      state.user.points = points;
      state.pointsVersion = pointsVersion;
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
  sessionRetryRequested,
  tokenReceived,
  sessionRequestFailed,
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
export const isSessionEnd = isAnyOf(loggedOut, sessionEnded);

export const {
  selectUser,
  selectAuthStatus,
  selectIsSessionKnown,
  selectMailStep,
  selectAuthPending,
  selectAuthError,
  selectIsNew,
} = authSlice.selectors;
