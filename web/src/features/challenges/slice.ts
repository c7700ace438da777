import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Challenge } from '@wayquest/contracts';
import type { Loading } from '../../shared/lib/loading.ts';
import type { NewChallengeBody } from './form.ts';

interface ChallengesState {
  items: Challenge[];
  list: Loading;
  listError: string | null;
  /** The one challenge a detail page asked for. */
  one: Loading;
  oneError: string | null;
  creating: Loading;
  createError: string | null;
  deleting: boolean;
  deleteError: string | null;
}

const initialState: ChallengesState = {
  items: [],
  list: 'idle',
  listError: null,
  one: 'idle',
  oneError: null,
  creating: 'idle',
  createError: null,
  deleting: false,
  deleteError: null,
};

function upsert(items: Challenge[], challenge: Challenge) {
  const index = items.findIndex(({ id }) => id === challenge.id);
  if (index === -1) items.push(challenge);
  else items[index] = challenge;
}

export const challengesSlice = createSlice({
  name: 'challenges',
  initialState,
  reducers: {
    challengesRequested: (state) => {
      state.list = state.list === 'ready' ? 'ready' : 'loading';
    },
    challengesReceived: (state, { payload }: PayloadAction<Challenge[]>) => {
      state.items = payload;
      state.list = 'ready';
    },
    challengesFailed: (state, { payload }: PayloadAction<string>) => {
      state.list = 'failed';
      state.listError = payload;
    },
    challengeRequested: (state, _action: PayloadAction<number>) => {
      state.one = 'loading';
      state.oneError = null;
      state.deleteError = null;
    },
    challengeReceived: (state, { payload }: PayloadAction<Challenge>) => {
      upsert(state.items, payload);
      state.one = 'ready';
    },
    challengeFailed: (state, { payload }: PayloadAction<string>) => {
      state.one = 'failed';
      state.oneError = payload;
    },
    formOpened: (state) => {
      state.creating = 'idle';
      state.createError = null;
    },
    challengeSubmitted: (state, _action: PayloadAction<NewChallengeBody>) => {
      state.creating = 'loading';
      state.createError = null;
    },
    challengeCreated: (state, { payload }: PayloadAction<Challenge>) => {
      upsert(state.items, payload);
      state.creating = 'ready';
    },
    createFailed: (state, { payload }: PayloadAction<string>) => {
      state.creating = 'failed';
      state.createError = payload;
    },
    deleteRequested: (state, _action: PayloadAction<number>) => {
      state.deleting = true;
      state.deleteError = null;
    },
    challengeDeleted: (state, { payload }: PayloadAction<number>) => {
      state.items = state.items.filter(({ id }) => id !== payload);
      state.deleting = false;
    },
    deleteFailed: (state, { payload }: PayloadAction<string>) => {
      state.deleting = false;
      state.deleteError = payload;
    },
  },
  selectors: {
    selectChallenges: (state) => state.items,
    selectListState: (state) => state.list,
    selectListError: (state) => state.listError,
    selectOneState: (state) => state.one,
    selectOneError: (state) => state.oneError,
    selectCreating: (state) => state.creating,
    selectCreateError: (state) => state.createError,
    selectDeleting: (state) => state.deleting,
    selectDeleteError: (state) => state.deleteError,
    selectChallenge: (state, id: number) => state.items.find((challenge) => challenge.id === id),
  },
});

export const {
  challengesRequested,
  challengesReceived,
  challengesFailed,
  challengeRequested,
  challengeReceived,
  challengeFailed,
  formOpened,
  challengeSubmitted,
  challengeCreated,
  createFailed,
  deleteRequested,
  challengeDeleted,
  deleteFailed,
} = challengesSlice.actions;
