import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { LeaderboardPage } from '@wayquest/contracts';
import type { Loading } from '../../shared/lib/loading.ts';

export type Scope = 'all' | 'friends';

interface LeaderboardState {
  shown: LeaderboardPage | null;
  state: Loading;
  error: string | null;
}

const initialState: LeaderboardState = { shown: null, state: 'idle', error: null };

export const leaderboardSlice = createSlice({
  name: 'leaderboard',
  initialState,
  reducers: {
    rankingRequested: (state, _action: PayloadAction<{ page: number; scope: Scope }>) => {
      state.state = 'loading';
    },
    rankingReceived: (state, { payload }: PayloadAction<LeaderboardPage>) => {
      state.shown = payload;
      state.state = 'ready';
    },
    rankingFailed: (state, { payload }: PayloadAction<string>) => {
      state.state = 'failed';
      state.error = payload;
    },
  },
  selectors: {
    selectRanking: (state) => state.shown,
    selectRankingState: (state) => state.state,
    selectRankingError: (state) => state.error,
  },
});

export const { rankingRequested, rankingReceived, rankingFailed } = leaderboardSlice.actions;
export const { selectRanking, selectRankingState, selectRankingError } = leaderboardSlice.selectors;
