import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Draft } from '../../shared/lib/drafts.ts';
import { sessionEnded } from '../../shared/saga/request.ts';
import { loggedOut } from '../auth/slice.ts';
import { messageSubmitted } from './threads-slice.ts';

const initialState: { items: Draft[] } = { items: [] };

const drop = (state: typeof initialState, id: number) => {
  state.items = state.items.filter((draft) => draft.id !== id);
};

/** What is written and not sent, one for each conversation. */
export const draftsSlice = createSlice({
  name: 'drafts',
  initialState,
  reducers: {
    draftsRestored: (state, { payload }: PayloadAction<Draft[]>) => {
      const begun = new Set(state.items.map(({ id }) => id));
      state.items.push(...payload.filter(({ id }) => !begun.has(id)));
    },
    draftChanged: (state, { payload }: PayloadAction<Draft>) => {
      drop(state, payload.id);
      if (payload.text) state.items.push(payload);
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(messageSubmitted, (state, { payload: { id } }) => drop(state, id))
      .addCase(loggedOut, () => initialState)
      .addCase(sessionEnded, () => initialState);
  },
  selectors: {
    selectDrafts: (state) => state.items,
    selectDraft: (state, id: number) => state.items.find((draft) => draft.id === id)?.text ?? '',
  },
});

export const { draftsRestored, draftChanged } = draftsSlice.actions;
export const { selectDrafts, selectDraft } = draftsSlice.selectors;
