import { createAction, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ProfileUpdate } from '@wayquest/contracts';
import { isSessionEnd } from '../../entities/auth/slice.ts';
import { type CompletionResult, pointsCollected } from '../../entities/participations/slice.ts';
import { failed, idle, loading, type RequestStatus, ready } from '../../shared/lib/request-status.ts';
import { reducer } from '../../shared/saga/reducer.ts';

/** The changes, with the password if it was required. */
export type ProfileChange = ProfileUpdate & { currentPassword?: string };

interface ProfileState {
  saving: RequestStatus;
  /** Whether the server requires the password. */
  passwordNeeded: boolean;
  /** State of the picture's upload, shown beside its button. */
  picture: RequestStatus;
  /** The points that were just earned, to be shown once. */
  celebration: CompletionResult | null;
}

const initialState: ProfileState = { saving: idle, passwordNeeded: false, picture: idle, celebration: null };

/** The file is in `meta.arg`, since a payload must be serializable. */
export const pictureChosen = createAction('profile/pictureChosen', (file: File) => ({
  payload: undefined,
  meta: { arg: file },
}));

/** The state of the person's own page; the user itself belongs to auth. */
export const profileSlice = createSlice({
  name: 'profile',
  initialState,
  reducers: {
    profileOpened: (state) => {
      state.saving = idle;
      state.passwordNeeded = false;
      state.picture = idle;
    },
    profileSubmitted: (state, _action: PayloadAction<ProfileChange>) => {
      state.saving = loading;
    },
    profileSaved: (state) => {
      state.saving = ready;
      state.passwordNeeded = false;
    },
    passwordRequired: (state) => {
      state.passwordNeeded = true;
    },
    profileFailed: (state, { payload }: PayloadAction<string>) => {
      state.saving = failed(payload);
    },
    pictureSaved: (state) => {
      state.picture = ready;
    },
    pictureFailed: (state, { payload }: PayloadAction<string>) => {
      state.picture = failed(payload);
    },
    celebrationShown: (state) => {
      state.celebration = null;
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(pictureChosen, (state) => {
        state.picture = loading;
      })
      .addCase(pointsCollected, (state, { payload }) => {
        state.celebration = payload;
      })
      .addMatcher(isSessionEnd, () => initialState);
  },
  selectors: {
    selectSaving: (state) => state.saving,
    selectPasswordNeeded: (state) => state.passwordNeeded,
    selectPicture: (state) => state.picture,
    selectCelebration: (state) => state.celebration,
  },
}).injectInto(reducer);

export const {
  profileOpened,
  profileSubmitted,
  profileSaved,
  passwordRequired,
  profileFailed,
  pictureSaved,
  pictureFailed,
  celebrationShown,
} = profileSlice.actions;
export const { selectSaving, selectPasswordNeeded, selectPicture, selectCelebration } =
  profileSlice.selectors;
