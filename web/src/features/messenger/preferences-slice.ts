import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ChatPreferences } from '@wayquest/contracts';
import type { Loading } from '../../shared/lib/loading.ts';
import { sessionEnded } from '../../shared/saga/request.ts';
import { loggedOut } from '../auth/slice.ts';

interface PreferencesState {
  /** As the server starts them, until it has answered. */
  current: ChatPreferences;
  state: Loading;
  error: string | null;
}

const initialState: PreferencesState = {
  current: { keepDrafts: true, showTyping: true, showReadMarks: true },
  state: 'idle',
  error: null,
};

/** What the person wants of chat. */
export const chatPreferencesSlice = createSlice({
  name: 'chatPreferences',
  initialState,
  reducers: {
    preferencesRequested: (state) => {
      if (state.state !== 'ready') state.state = 'loading';
      state.error = null;
    },
    preferencesReceived: (state, { payload }: PayloadAction<ChatPreferences>) => {
      state.current = payload;
      state.state = 'ready';
    },
    preferencesFailed: (state, { payload }: PayloadAction<string>) => {
      if (state.state !== 'ready') state.state = 'failed';
      state.error = payload;
    },
    preferencesSubmitted: (state, { payload }: PayloadAction<Partial<ChatPreferences>>) => {
      Object.assign(state.current, payload);
      state.error = null;
    },
  },
  extraReducers: (builder) => {
    builder.addCase(loggedOut, () => initialState).addCase(sessionEnded, () => initialState);
  },
  selectors: {
    selectPreferences: (state) => state.current,
    selectPreferencesState: (state) => state.state,
    selectPreferencesError: (state) => state.error,
  },
});

export const { preferencesRequested, preferencesReceived, preferencesFailed, preferencesSubmitted } =
  chatPreferencesSlice.actions;
export const { selectPreferences, selectPreferencesState, selectPreferencesError } =
  chatPreferencesSlice.selectors;
