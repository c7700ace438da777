import {
  createEntityAdapter,
  createSelector,
  createSlice,
  type EntityState,
  type PayloadAction,
} from '@reduxjs/toolkit';
import type {
  Address,
  BoundingBox,
  Challenge,
  ChallengeCluster,
  ChallengesInView,
  Place,
  Position,
} from '@wayquest/contracts';
import { isSessionEnd } from '../../entities/auth/slice.ts';
import { type EditableFields, emptyAddress, emptyFields } from '../../entities/challenges/editable-fields.ts';
import { challengeCreated, challengeDeleted, challengeGone } from '../../entities/challenges/slice.ts';
import { failed, idle, loading, type RequestStatus, ready } from '../../shared/lib/request-status.ts';
import { reducer } from '../../shared/saga/reducer.ts';
import type { Filters } from './address.ts';
import { boxAt } from './map/boxes.ts';

/** The values of the map's form, as text. The address is only typed if it is unknown. */
export interface MapForm extends EditableFields, Address {}

export const emptyForm: MapForm = { ...emptyFields, ...emptyAddress };

/** An area, and the filters of its challenges. */
export interface Search {
  box: BoundingBox;
  zoom: number;
  filters: Filters;
  /** A position in the area: if there are too many challenges, the nearest to it are listed. */
  near: Position | null;
}

interface ExploreState {
  results: RequestStatus;
  /** The last search. */
  searched: Search | null;
  /** The challenges of the searched area; if there are too many, the newest or nearest. */
  found: EntityState<Challenge, number>;
  /** Clusters of all challenges, if there are more than that. */
  clusters: ChallengeCluster[];
  /** The challenge that was created since the last search. */
  created: Challenge | null;
  /** The place at the selected position. Like the draft, it survives a visit to the sign-up page. */
  place: Place | null;
  draft: MapForm;
}

const found = createEntityAdapter<Challenge>();
const { selectAll } = found.getSelectors();

const initialState: ExploreState = {
  results: idle,
  searched: null,
  found: found.getInitialState(),
  clusters: [],
  created: null,
  place: null,
  draft: emptyForm,
};

const contains = ({ west, south, east, north }: BoundingBox, { lat, lng }: Position): boolean =>
  lat >= south && lat <= north && (west <= east ? lng >= west && lng <= east : lng >= west || lng <= east);

function showFirst(state: ExploreState, challenge: Challenge) {
  const others = selectAll(state.found).filter(({ id }) => id !== challenge.id);
  found.setAll(state.found, [challenge, ...others]);
}

/** Updates the clusters for the person's own creation or deletion. */
function countInCluster(state: ExploreState, challenge: Challenge | undefined, by: 1 | -1) {
  const position = challenge?.position;
  if (!position || state.clusters.length === 0) return;
  const cluster = state.clusters.find(({ bbox }) => contains(bbox, position));
  if (cluster) cluster.count += by;
  else if (by === 1) {
    const { id: newest, city, placeCategory } = challenge;
    const bbox = boxAt(position);
    state.clusters.push({ position, count: 1, newest, city, ...(placeCategory && { placeCategory }), bbox });
  }
  state.clusters = state.clusters.filter(({ count }) => count > 0);
}

function drop(state: ExploreState, { payload: id }: PayloadAction<number>) {
  countInCluster(state, state.found.entities[id], -1);
  found.removeOne(state.found, id);
}

export const exploreSlice = createSlice({
  name: 'explore',
  initialState,
  reducers: {
    viewSearched: (state, { payload }: PayloadAction<Search>) => {
      state.searched = payload;
      state.results = loading;
      state.created = null;
    },
    viewReceived: (state, { payload }: PayloadAction<ChallengesInView>) => {
      state.results = ready;
      found.setAll(state.found, payload.challenges);
      state.clusters = payload.clusters;
      // The call was made before this challenge was created.
      if (state.created) showFirst(state, state.created);
    },
    viewFailed: (state, { payload }: PayloadAction<string>) => {
      state.results = failed(payload);
    },
    /** Another position has another address and kind of place. */
    spotChosen: (state, { payload }: PayloadAction<Place | null>) => {
      state.place = payload;
      const { name, description, startDate, endDate, difficulty } = state.draft;
      state.draft = { ...emptyForm, name, description, startDate, endDate, difficulty };
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
        state.created = payload;
        showFirst(state, payload);
        countInCluster(state, payload, 1);
      })
      .addCase(challengeDeleted, drop)
      .addCase(challengeGone, drop)
      .addMatcher(isSessionEnd, () => initialState);
  },
  selectors: {
    selectResults: (state) => state.results,
    selectSearched: (state) => state.searched,
    selectFound: (state) => selectAll(state.found),
    selectClusters: (state) => state.clusters,
    selectCreated: (state) => state.created,
    selectPlace: (state) => state.place,
    selectDraft: (state) => state.draft,
  },
}).injectInto(reducer);

export const { viewSearched, viewReceived, viewFailed, spotChosen, draftChanged } = exploreSlice.actions;

export const { selectSearched, selectFound, selectClusters, selectCreated, selectPlace, selectDraft } =
  exploreSlice.selectors;

/** The result of the last search, or its error. */
export const selectSearchResult = createSelector(
  [exploreSlice.selectors.selectResults, selectSearched, selectFound, selectClusters],
  ({ state, error }, searched, challenges, clusters) => ({ state, error, searched, challenges, clusters }),
);
