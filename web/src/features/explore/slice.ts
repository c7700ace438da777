import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { BoundingBox, Challenge, ChallengeCluster, Place, WebSettings } from '@wayquest/contracts';
import type { Loading } from '../../shared/lib/loading.ts';
import { sessionEnded } from '../../shared/saga/request.ts';
import { loggedOut } from '../auth/slice.ts';
import { challengeCreated, challengeDeleted } from '../challenges/slice.ts';
import type { Filters } from './address.ts';
import { emptyForm, type MapForm } from './form.ts';

/** A part of the world, and what is wanted of it. */
export interface Search {
  box: BoundingBox;
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
  /** The challenge that was made since the last search. */
  made: Challenge | null;
  /** The place at the spot that was chosen. Like what was begun to write, it outlives a visit to the sign-up page. */
  place: Place | null;
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
  made: null,
  place: null,
  draft: emptyForm,
};

/** What is known of the map stays; what a person did with it goes with them. */
const forget = ({ settings }: ExploreState): ExploreState => ({ ...initialState, settings });

function showFirst(state: ExploreState, challenge: Challenge) {
  state.challenges = [challenge, ...state.challenges.filter(({ id }) => id !== challenge.id)];
}

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
      state.made = null;
    },
    viewReceived: (
      state,
      { payload }: PayloadAction<{ challenges: Challenge[]; clusters: ChallengeCluster[] }>,
    ) => {
      state.results = 'ready';
      state.challenges = payload.challenges;
      state.clusters = payload.clusters;
      // It was asked for before that one was made.
      if (state.made) showFirst(state, state.made);
    },
    viewFailed: (state, { payload }: PayloadAction<string>) => {
      state.results = 'failed';
      state.error = payload;
    },
    /** Another spot has another address. */
    spotChosen: (state, { payload }: PayloadAction<Place | null>) => {
      state.place = payload;
      const { name, startDate, endDate, difficulty } = state.draft;
      state.draft = { ...emptyForm, name, startDate, endDate, difficulty };
    },
    draftChanged: (state, { payload }: PayloadAction<MapForm>) => {
      state.draft = payload;
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(challengeCreated, (state, { payload }) => {
        state.draft = emptyForm;
        if (!payload.position) return;
        state.made = payload;
        showFirst(state, payload);
      })
      .addCase(challengeDeleted, (state, { payload }) => {
        state.challenges = state.challenges.filter(({ id }) => id !== payload);
      })
      .addCase(loggedOut, forget)
      .addCase(sessionEnded, forget);
  },
  selectors: {
    selectSettings: (state) => state.settings,
    selectSettingsFailed: (state) => state.settingsFailed,
    selectResults: (state) => state.results,
    selectResultsError: (state) => state.error,
    selectSearched: (state) => state.searched,
    selectFound: (state) => state.challenges,
    selectClusters: (state) => state.clusters,
    selectMade: (state) => state.made,
    selectPlace: (state) => state.place,
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
  spotChosen,
  draftChanged,
} = exploreSlice.actions;
