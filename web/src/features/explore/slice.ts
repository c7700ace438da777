import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Challenge, ChallengeCluster, WebSettings } from '@wayquest/contracts';
import type { Loading } from '../../shared/lib/loading.ts';
import { challengeCreated, challengeDeleted } from '../challenges/slice.ts';
import type { Filters } from './address.ts';
import { emptyForm, type MapForm } from './form.ts';
import type { Box } from './map/map.ts';

/** A part of the world, and what is wanted of it. */
export interface Search {
  box: Box;
  zoom: number;
  filters: Filters;
}

interface ExploreState {
  /** Which map is shown. */
  settings: WebSettings | null;
  settingsFailed: boolean;
  results: Loading;
  error: string | null;
  /** What was searched last. */
  searched: Search | null;
  /** The newest in the searched part, at most 500. */
  challenges: Challenge[];
  /** Where all of them are, when there are more than that. */
  clusters: ChallengeCluster[];
  /** What a person began to write; it outlives a visit to the sign-up page. */
  draft: MapForm;
}

const initialState: ExploreState = {
  settings: null,
  settingsFailed: false,
  results: 'idle',
  error: null,
  searched: null,
  challenges: [],
  clusters: [],
  draft: emptyForm,
};

export const exploreSlice = createSlice({
  name: 'explore',
  initialState,
  reducers: {
    settingsRequested: (state) => {
      state.settingsFailed = false;
    },
    settingsReceived: (state, { payload }: PayloadAction<WebSettings>) => {
      state.settings = payload;
    },
    settingsFailed: (state) => {
      state.settingsFailed = true;
    },
    viewSearched: (state, { payload }: PayloadAction<Search>) => {
      state.searched = payload;
      state.results = 'loading';
      state.error = null;
    },
    viewReceived: (
      state,
      { payload }: PayloadAction<{ challenges: Challenge[]; clusters: ChallengeCluster[] }>,
    ) => {
      state.results = 'ready';
      state.challenges = payload.challenges;
      state.clusters = payload.clusters;
    },
    viewFailed: (state, { payload }: PayloadAction<string>) => {
      state.results = 'failed';
      state.error = payload;
    },
    draftChanged: (state, { payload }: PayloadAction<MapForm>) => {
      state.draft = payload;
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(challengeCreated, (state, { payload }) => {
        state.draft = emptyForm;
        if (payload.position) state.challenges.unshift(payload);
      })
      .addCase(challengeDeleted, (state, { payload }) => {
        state.challenges = state.challenges.filter(({ id }) => id !== payload);
      });
  },
  selectors: {
    selectSettings: (state) => state.settings,
    selectSettingsFailed: (state) => state.settingsFailed,
    selectResults: (state) => state.results,
    selectResultsError: (state) => state.error,
    selectSearched: (state) => state.searched,
    selectFound: (state) => state.challenges,
    selectClusters: (state) => state.clusters,
    selectDraft: (state) => state.draft,
  },
});

export const {
  settingsRequested,
  settingsReceived,
  settingsFailed,
  viewSearched,
  viewReceived,
  viewFailed,
  draftChanged,
} = exploreSlice.actions;
