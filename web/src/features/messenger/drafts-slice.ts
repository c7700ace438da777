import { createEntityAdapter, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { isSessionEnd } from '../../entities/auth/slice.ts';
import type { Draft } from '../../shared/lib/unsent-items.ts';
import { reducer } from '../../shared/saga/reducer.ts';
import { messageSubmitted } from './threads-slice.ts';

const drafts = createEntityAdapter<Draft>();
const { selectAll, selectById } = drafts.getSelectors();

const initialState = drafts.getInitialState();

/** Unsent text, one for each conversation. */
export const draftsSlice = createSlice({
  name: 'drafts',
  initialState,
  reducers: {
    /** A draft of this visit takes precedence. */
    draftsRestored: (state, { payload }: PayloadAction<Draft[]>) => {
      drafts.addMany(state, payload);
    },
    /** Another tab changed some: the text that was typed last is shown everywhere. */
    draftsReplaced: (state, { payload }: PayloadAction<Draft[]>) => {
      drafts.setAll(state, payload);
    },
    draftChanged: (state, { payload }: PayloadAction<Draft>) => {
      if (payload.text) drafts.setOne(state, payload);
      else drafts.removeOne(state, payload.id);
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(messageSubmitted, (state, { payload: { id } }) => {
        drafts.removeOne(state, id);
      })
      .addMatcher(isSessionEnd, () => initialState);
  },
  selectors: {
    selectDrafts: selectAll,
    selectDraft: (state, id: number) => selectById(state, id)?.text ?? '',
  },
}).injectInto(reducer);

export const { draftsRestored, draftsReplaced, draftChanged } = draftsSlice.actions;
export const { selectDrafts, selectDraft } = draftsSlice.selectors;
