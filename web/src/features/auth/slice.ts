import { createAction, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Me, ProfileUpdate } from '@wayquest/contracts';
import { sessionEnded } from '../../shared/saga/request.ts';

export interface Credentials {
  username: string;
  password: string;
}

/** Points that were just earned, for the profile page to show once. */
export interface Celebration {
  from: number;
  to: number;
  notice?: string | undefined;
}

interface AuthState {
  user: Me | null;
  /** `starting` until it is known whether the kept token still counts; `failed` when that could not be asked. */
  status: 'starting' | 'visitor' | 'member' | 'failed';
  /** A form of this feature is on its way. */
  pending: boolean;
  error: string | null;
  celebration: Celebration | null;
}

const initialState: AuthState = {
  user: null,
  status: 'starting',
  pending: false,
  error: null,
  celebration: null,
};

const visitor: AuthState = { ...initialState, status: 'visitor' };

/** A file cannot be a payload, which has to be data that can be written down; `meta.arg` may be anything. */
export const pictureChosen = createAction('auth/pictureChosen', (file: File) => ({
  payload: undefined,
  meta: { arg: file },
}));

const begin = (state: AuthState) => {
  state.pending = true;
  state.error = null;
};

export const authSlice = createSlice({
  name: 'auth',
  initialState,
  reducers: {
    sessionResumed: (state) => {
      state.status = 'starting';
      state.error = null;
    },
    loginSubmitted: (state, _action: PayloadAction<Credentials>) => begin(state),
    signupSubmitted: (state, _action: PayloadAction<Credentials>) => begin(state),
    loginCodeReceived: (state, _action: PayloadAction<string>) => begin(state),
    profileSubmitted: (state, _action: PayloadAction<ProfileUpdate>) => begin(state),
    userReceived: (state, { payload }: PayloadAction<Me>) => {
      state.user = payload;
      state.status = 'member';
      state.pending = false;
      state.error = null;
    },
    pointsReceived: (state, { payload }: PayloadAction<number>) => {
      if (state.user) state.user.points = payload;
    },
    authFailed: (state, { payload }: PayloadAction<string>) => {
      state.pending = false;
      state.error = payload;
      if (state.status === 'starting') state.status = 'failed';
    },
    errorCleared: (state) => {
      state.error = null;
    },
    celebrated: (state, { payload }: PayloadAction<Celebration>) => {
      state.celebration = payload;
    },
    celebrationShown: (state) => {
      state.celebration = null;
    },
    logoutRequested: () => {},
    loggedOut: () => visitor,
  },
  extraReducers: (builder) => {
    builder.addCase(pictureChosen, begin).addCase(sessionEnded, () => visitor);
  },
  selectors: {
    selectUser: (state) => state.user,
    selectAuthStatus: (state) => state.status,
    selectAuthPending: (state) => state.pending,
    selectAuthError: (state) => state.error,
    selectCelebration: (state) => state.celebration,
  },
});

export const {
  sessionResumed,
  loginSubmitted,
  signupSubmitted,
  loginCodeReceived,
  profileSubmitted,
  userReceived,
  pointsReceived,
  authFailed,
  errorCleared,
  celebrated,
  celebrationShown,
  logoutRequested,
  loggedOut,
} = authSlice.actions;
