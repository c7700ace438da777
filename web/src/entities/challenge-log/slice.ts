import { createSelector, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { LogEntry } from '@wayquest/contracts';
import type { UnsentEntry } from '../../shared/lib/unsent-items.ts';
import { reducer } from '../../shared/saga/reducer.ts';
import { isSessionEnd } from '../auth/slice.ts';

/** What became of a change of an entry in this tab. */
type Outcome =
  | { state: 'sending' }
  | { state: 'saved'; entry: LogEntry }
  | { state: 'failed'; error: string };

interface OwnEntriesState {
  /** Changes that are not saved yet: those that wait for the server, and those that it has rejected. */
  pending: UnsentEntry[];
  /** By the id of the participation; none while it waits. */
  outcomes: Record<number, Outcome>;
}

const initialState: OwnEntriesState = { pending: [], outcomes: {} };

const without = (entries: UnsentEntry[], id: number) =>
  entries.filter(({ participationId }) => participationId !== id);

/** Changes of one's own notes and photos. */
export const ownEntriesSlice = createSlice({
  name: 'ownEntries',
  initialState,
  reducers: {
    entryOpened: (state, { payload: participationId }: PayloadAction<number>) => {
      delete state.outcomes[participationId];
    },
    entrySubmitted: {
      /** `isFormClosed`: nobody sees a rejection in the form any more, so the change is kept until the person decides. */
      prepare: (payload: UnsentEntry, isFormClosed = false) => ({ payload, meta: { isFormClosed } }),
      reducer: (state, { payload: { participationId } }: PayloadAction<UnsentEntry>) => {
        state.outcomes[participationId] = { state: 'sending' };
      },
    },
    entrySaved: (state, { payload: entry }: PayloadAction<LogEntry>) => {
      state.pending = without(state.pending, entry.id);
      state.outcomes[entry.id] = { state: 'saved', entry };
    },
    entryFailed: (
      state,
      { payload: { participationId, error } }: PayloadAction<{ participationId: number; error: string }>,
    ) => {
      state.pending = without(state.pending, participationId);
      state.outcomes[participationId] = { state: 'failed', error };
    },
    /** It got no response, and is sent later; or it was rejected when it arrived. */
    entryKept: (state, { payload }: PayloadAction<UnsentEntry>) => {
      state.pending = [...without(state.pending, payload.participationId), payload];
      delete state.outcomes[payload.participationId];
    },
    /** It was sent by another tab, or discarded. */
    entryDropped: (state, { payload: participationId }: PayloadAction<number>) => {
      state.pending = without(state.pending, participationId);
      delete state.outcomes[participationId];
    },
    /** The changes that are stored, also by an earlier visit or in another tab. */
    entriesRestored: (state, { payload }: PayloadAction<UnsentEntry[]>) => {
      state.pending = payload;
    },
    /** The person tries again to send a rejected change, or discards it. */
    entryRetried: (_state, _action: PayloadAction<UnsentEntry>) => {},
    entryDiscarded: (_state, _action: PayloadAction<UnsentEntry>) => {},
  },
  extraReducers: (builder) => {
    builder.addMatcher(isSessionEnd, () => initialState);
  },
}).injectInto(reducer);

export const {
  entryOpened,
  entrySubmitted,
  entrySaved,
  entryFailed,
  entryKept,
  entryDropped,
  entriesRestored,
  entryRetried,
  entryDiscarded,
} = ownEntriesSlice.actions;

/** The part of the state that these selectors read. */
export type OwnEntriesPart = Parameters<typeof ownEntriesSlice.selectSlice>[0];

const selectPending = (state: OwnEntriesPart) => ownEntriesSlice.selectSlice(state).pending;

/** Changes that wait for the server. */
export const selectPendingEntries = createSelector(selectPending, (pending) =>
  pending.filter(({ refused }) => refused === undefined),
);

/** Changes that the server has rejected when they arrived. */
export const selectRefusedEntries = createSelector(selectPending, (pending) =>
  pending.filter(({ refused }) => refused !== undefined),
);

export const selectOutcome = (state: OwnEntriesPart, participationId: number) =>
  ownEntriesSlice.selectSlice(state).outcomes[participationId];
