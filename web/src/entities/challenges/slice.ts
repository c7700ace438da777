import {
  createAction,
  createEntityAdapter,
  createSelector,
  createSlice,
  type EntityState,
  type PayloadAction,
} from '@reduxjs/toolkit';
import type {
  Challenge,
  ChallengeOrder,
  Client,
  Difficulty,
  Phase,
  PlaceCategory,
  Position,
} from '@wayquest/contracts';
import { failed, idle, loading, type RequestStatus, ready } from '../../shared/lib/request-status.ts';
import { reducer } from '../../shared/saga/reducer.ts';

export type NewChallenge = Parameters<Client['createChallenge']>[0]['body'];

/** The filters and order of a list. */
export interface ChallengesQuery {
  search: string;
  /** Null: open or upcoming. */
  phase: Exclude<Phase, 'current'> | 'any' | null;
  difficulty: Difficulty | null;
  placeCategory: PlaceCategory | null;
  sort: ChallengeOrder;
  /** The position that distances are measured from, if known. */
  near: Position | null;
  /** Maximum distance in kilometers from `near`. */
  within: number | null;
}

/** A page of a list; `next` is the cursor of the next one. */
export interface ChallengesPage {
  challenges: Challenge[];
  next: string | null;
  /** The length of the whole list; null if not requested, or too long to be counted. */
  total: number | null;
}

interface ChallengesState extends EntityState<Challenge, number> {
  list: RequestStatus;
  query: ChallengesQuery | null;
  /** The ids in the list, in order. */
  listed: number[];
  next: string | null;
  total: number | null;
  /** Request of the list's next page. */
  more: RequestStatus;
  /** Request of the single challenge that a page loads. */
  detail: RequestStatus;
  /** The id of a challenge that does not exist, or no longer. */
  goneId: number | null;
  creating: RequestStatus;
  /** The challenge created since the form was opened. */
  createdId: number | null;
  deleting: RequestStatus;
}

const challenges = createEntityAdapter<Challenge>();
const { selectEntities, selectById } = challenges.getSelectors();

const initialState: ChallengesState = challenges.getInitialState({
  list: idle,
  query: null,
  listed: [],
  next: null,
  total: null,
  more: idle,
  detail: idle,
  goneId: null,
  creating: idle,
  createdId: null,
  deleting: idle,
});

/** An action on a challenge failed in a way that suggests that it was deleted. */
export const challengeStale = createAction<number>('challenges/challengeStale');

/** The person joined (1) or left (-1) a challenge: counted immediately, on every page. */
export const participantsChanged = createAction<{ id: number; by: 1 | -1 }>('challenges/participantsChanged');

function drop(state: ChallengesState, id: number) {
  challenges.removeOne(state, id);
  if (state.total !== null && state.listed.includes(id)) state.total -= 1;
  state.listed = state.listed.filter((listed) => listed !== id);
}

export const challengesSlice = createSlice({
  name: 'challenges',
  initialState,
  reducers: {
    /** A loaded list stays while it is reloaded; `meta` is its minimum length. */
    challengesRequested: {
      prepare: (payload: ChallengesQuery, meta = 0) => ({ payload, meta }),
      reducer: (state, { payload }: PayloadAction<ChallengesQuery, string, number>) => {
        const same = JSON.stringify(state.query) === JSON.stringify(payload);
        if (!same) Object.assign(state, { query: payload, listed: [], next: null, total: null });
        state.list = same && state.list.state === 'ready' ? ready : loading;
        state.more = idle;
      },
    },
    challengesReceived: (state, { payload }: PayloadAction<ChallengesPage>) => {
      challenges.setMany(state, payload.challenges);
      state.listed = payload.challenges.map(({ id }) => id);
      state.next = payload.next;
      state.total = payload.total;
      state.list = ready;
    },
    moreRequested: (state) => {
      state.more = loading;
    },
    moreReceived: (state, { payload }: PayloadAction<ChallengesPage>) => {
      challenges.setMany(state, payload.challenges);
      state.listed = [...new Set([...state.listed, ...payload.challenges.map(({ id }) => id)])];
      state.next = payload.next;
      state.more = ready;
    },
    moreFailed: (state, { payload }: PayloadAction<string>) => {
      state.more = failed(payload);
    },
    challengesFailed: (state, { payload }: PayloadAction<string>) => {
      state.list = failed(payload);
    },
    challengeRequested: (state, { payload: id }: PayloadAction<number>) => {
      state.detail = loading;
      if (state.goneId === id) state.goneId = null;
      state.deleting = idle;
    },
    challengeGone: (state, { payload: id }: PayloadAction<number>) => {
      state.goneId = id;
      drop(state, id);
    },
    challengeReceived: (state, { payload }: PayloadAction<Challenge>) => {
      challenges.setOne(state, payload);
      state.detail = ready;
    },
    challengeFailed: (state, { payload }: PayloadAction<string>) => {
      state.detail = failed(payload);
    },
    formOpened: (state) => {
      state.creating = idle;
      state.createdId = null;
    },
    challengeSubmitted: (state, _action: PayloadAction<NewChallenge>) => {
      state.creating = loading;
    },
    challengeCreated: (state, { payload }: PayloadAction<Challenge>) => {
      challenges.setOne(state, payload);
      state.listed.push(payload.id);
      if (state.total !== null) state.total += 1;
      state.creating = ready;
      state.createdId = payload.id;
    },
    createFailed: (state, { payload }: PayloadAction<string>) => {
      state.creating = failed(payload);
    },
    deleteRequested: (state, _action: PayloadAction<number>) => {
      state.deleting = loading;
    },
    challengeDeleted: (state, { payload }: PayloadAction<number>) => {
      drop(state, payload);
      state.deleting = ready;
    },
    deleteFailed: (state, { payload }: PayloadAction<string>) => {
      state.deleting = failed(payload);
    },
  },
  extraReducers: (builder) => {
    builder.addCase(participantsChanged, (state, { payload: { id, by } }) => {
      const challenge = state.entities[id];
      if (challenge) challenge.participants = Math.max(0, challenge.participants + by);
    });
  },
  selectors: {
    selectChallenges: createSelector(
      [selectEntities, (state: ChallengesState) => state.listed],
      (entities, listed) => listed.flatMap((id) => entities[id] ?? []),
    ),
    selectQuery: (state) => state.query,
    selectNext: (state) => state.next,
    selectTotal: (state) => state.total,
    selectMore: (state) => state.more,
    selectChallenge: selectById,
    selectListState: (state) => state.list.state,
    selectListError: (state) => state.list.error,
    selectIsGone: (state, id: number) => Object.is(state.goneId, id),
    selectDetailState: (state) => state.detail.state,
    selectDetailError: (state) => state.detail.error,
    selectCreating: (state) => state.creating.state,
    selectCreatedId: (state) => state.createdId,
    selectCreateError: (state) => state.creating.error,
    selectDeleting: (state) => state.deleting.state === 'loading',
    selectDeleteError: (state) => state.deleting.error,
  },
}).injectInto(reducer);

export const {
  challengesRequested,
  challengesReceived,
  challengesFailed,
  moreRequested,
  moreReceived,
  moreFailed,
  challengeRequested,
  challengeGone,
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

export const {
  selectChallenges,
  selectChallenge,
  selectQuery,
  selectNext,
  selectTotal,
  selectMore,
  selectListState,
  selectListError,
  selectIsGone,
  selectDetailState,
  selectDetailError,
  selectCreating,
  selectCreatedId,
  selectCreateError,
  selectDeleting,
  selectDeleteError,
} = challengesSlice.selectors;
