import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { LeaderboardPage } from '@wayquest/contracts';
import { failed, idle, loading, type RequestStatus, ready } from '../../shared/lib/request-status.ts';
import { reducer } from '../../shared/saga/reducer.ts';

/** Everybody, the person's friends, or people in their town. */
export const scopes = ['all', 'friends', 'town'] as const;
export type Scope = (typeof scopes)[number];

/** All-time, or the current month. */
export type Period = 'all' | 'month';

/** A page of a ranking. */
export interface RankingQuery {
  page: number;
  scope: Scope;
  period: Period;
}

interface LeaderboardState {
  /** The page that is shown; null while none is. */
  query: RankingQuery | null;
  shown: LeaderboardPage | null;
  request: RequestStatus;
}

const initialState: LeaderboardState = { query: null, shown: null, request: idle };

export const leaderboardSlice = createSlice({
  name: 'leaderboard',
  initialState,
  reducers: {
    rankingRequested: (state, { payload }: PayloadAction<RankingQuery>) => {
      state.query = payload;
      state.request = loading;
    },
    rankingReceived: (state, { payload }: PayloadAction<LeaderboardPage>) => {
      state.shown = payload;
      state.request = ready;
    },
    rankingFailed: (state, { payload }: PayloadAction<string>) => {
      // After a failed reload the old ranking stays.
      if (state.request.state === 'loading') state.request = failed(payload);
    },
    rankingClosed: (state) => {
      state.query = null;
    },
  },
  selectors: {
    selectQuery: (state) => state.query,
    selectRanking: (state) => state.shown,
    selectRankingState: (state) => state.request.state,
    selectRankingError: (state) => state.request.error,
  },
}).injectInto(reducer);

export const { rankingRequested, rankingReceived, rankingFailed, rankingClosed } = leaderboardSlice.actions;
export const { selectQuery, selectRanking, selectRankingState, selectRankingError } =
  leaderboardSlice.selectors;
