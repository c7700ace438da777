import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ChatPreferences } from '@wayquest/contracts';
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

interface PreferencesState {
  /** The server's defaults until it responds. */
  current: ChatPreferences;
  request: RequestStatus;
  saving: RequestStatus;
}

const initialState: PreferencesState = {
  current: { keepDrafts: true, showTyping: true, sendReadReceipts: true },
  request: idle,
  saving: idle,
};

/** The person's chat preferences. */
export const chatPreferencesSlice = createSlice({
  name: 'chatPreferences',
  initialState,
  reducers: {
    preferencesRequested: (state) => {
      state.request = refreshing(state.request);
      state.saving = idle;
    },
    preferencesReceived: (state, { payload }: PayloadAction<ChatPreferences>) => {
      state.current = payload;
      state.request = ready;
    },
    preferencesFailed: (state, { payload }: PayloadAction<string>) => {
      state.request = refreshFailed(state.request, payload);
    },
    preferencesSubmitted: (state, { payload }: PayloadAction<Partial<ChatPreferences>>) => {
      Object.assign(state.current, payload);
      state.saving = loading;
    },
    preferencesSaved: (state, { payload }: PayloadAction<ChatPreferences>) => {
      state.current = payload;
      state.saving = ready;
    },
    preferencesNotSaved: (state, { payload }: PayloadAction<string>) => {
      state.saving = failed(payload);
    },
  },
  extraReducers: (builder) => {
    builder.addMatcher(isSessionEnd, () => initialState);
  },
  selectors: {
    selectPreferences: (state) => state.current,
    selectPreferencesState: (state) => state.request.state,
    selectPreferencesError: (state) => state.request.error ?? state.saving.error,
  },
}).injectInto(reducer);

export const {
  preferencesRequested,
  preferencesReceived,
  preferencesFailed,
  preferencesSubmitted,
  preferencesSaved,
  preferencesNotSaved,
} = chatPreferencesSlice.actions;
export const { selectPreferences, selectPreferencesState, selectPreferencesError } =
  chatPreferencesSlice.selectors;
