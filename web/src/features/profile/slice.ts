import { createAction, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ProfileUpdate } from '@wayquest/contracts';
import { sessionOver } from '../../entities/auth/slice.ts';
import { type Collected, pointsCollected } from '../../entities/challenge-lines/slice.ts';
import { failed, idle, loading, type RequestStatus, ready } from '../../shared/lib/request-status.ts';

interface ProfileState {
  saving: RequestStatus;
  /** Of the picture: told beside its button. */
  picture: RequestStatus;
  /** Points that were just earned, for the page to show once. */
  celebration: Collected | null;
}

const initialState: ProfileState = { saving: idle, picture: idle, celebration: null };

/** A file cannot be a payload, which has to be data that can be written down; `meta.arg` may be anything. */
export const pictureChosen = createAction('profile/pictureChosen', (file: File) => ({
  payload: undefined,
  meta: { arg: file },
}));

/** What the person's own page does; who they are is auth's. */
export const profileSlice = createSlice({
  name: 'profile',
  initialState,
  reducers: {
    profileOpened: (state) => {
      state.saving = idle;
      state.picture = idle;
    },
    profileSubmitted: (state, _action: PayloadAction<ProfileUpdate>) => {
      state.saving = loading;
    },
    profileSaved: (state) => {
      state.saving = ready;
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
      .addMatcher(sessionOver, () => initialState);
  },
  selectors: {
    selectSaving: (state) => state.saving,
    selectPicture: (state) => state.picture,
    selectCelebration: (state) => state.celebration,
  },
});

export const {
  profileOpened,
  profileSubmitted,
  profileSaved,
  profileFailed,
  pictureSaved,
  pictureFailed,
  celebrationShown,
} = profileSlice.actions;
export const { selectSaving, selectPicture, selectCelebration } = profileSlice.selectors;
