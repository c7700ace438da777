import { createEntityAdapter, createSlice, type EntityState, type PayloadAction } from '@reduxjs/toolkit';
import type { Challenge, Client } from '@wayquest/contracts';
import {
  failed,
  idle,
  loading,
  type RequestStatus,
  ready,
  refreshing,
} from '../../shared/lib/request-status.ts';

export type NewChallenge = Parameters<Client['createChallenge']>[0]['body'];

interface ChallengesState extends EntityState<Challenge, number> {
  list: RequestStatus;
  /** Of the one challenge that a page asked for. */
  one: RequestStatus;
  creating: RequestStatus;
  deleting: RequestStatus;
}

const challenges = createEntityAdapter<Challenge>();
const { selectAll, selectById } = challenges.getSelectors();

const initialState: ChallengesState = challenges.getInitialState({
  list: idle,
  one: idle,
  creating: idle,
  deleting: idle,
});

export const challengesSlice = createSlice({
  name: 'challenges',
  initialState,
  reducers: {
    challengesRequested: (state) => {
      state.list = refreshing(state.list);
    },
    challengesReceived: (state, { payload }: PayloadAction<Challenge[]>) => {
      challenges.setAll(state, payload);
      state.list = ready;
    },
    challengesFailed: (state, { payload }: PayloadAction<string>) => {
      state.list = failed(payload);
    },
    challengeRequested: (state, _action: PayloadAction<number>) => {
      state.one = loading;
      state.deleting = idle;
    },
    challengeReceived: (state, { payload }: PayloadAction<Challenge>) => {
      challenges.setOne(state, payload);
      state.one = ready;
    },
    challengeFailed: (state, { payload }: PayloadAction<string>) => {
      state.one = failed(payload);
    },
    formOpened: (state) => {
      state.creating = idle;
    },
    challengeSubmitted: (state, _action: PayloadAction<NewChallenge>) => {
      state.creating = loading;
    },
    challengeCreated: (state, { payload }: PayloadAction<Challenge>) => {
      challenges.setOne(state, payload);
      state.creating = ready;
    },
    createFailed: (state, { payload }: PayloadAction<string>) => {
      state.creating = failed(payload);
    },
    deleteRequested: (state, _action: PayloadAction<number>) => {
      state.deleting = loading;
    },
    challengeDeleted: (state, { payload }: PayloadAction<number>) => {
      challenges.removeOne(state, payload);
      state.deleting = ready;
    },
    deleteFailed: (state, { payload }: PayloadAction<string>) => {
      state.deleting = failed(payload);
    },
  },
  selectors: {
    selectChallenges: selectAll,
    selectChallenge: selectById,
    selectListState: (state) => state.list.state,
    selectListError: (state) => state.list.error,
    selectOneState: (state) => state.one.state,
    selectOneError: (state) => state.one.error,
    selectCreating: (state) => state.creating.state,
    selectCreateError: (state) => state.creating.error,
    selectDeleting: (state) => state.deleting.state === 'loading',
    selectDeleteError: (state) => state.deleting.error,
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
