import { createSelector } from '@reduxjs/toolkit';
import { exploreSlice } from './slice.ts';

export const {
  selectSettings,
  selectSettingsFailed,
  selectSearched,
  selectFound,
  selectClusters,
  selectMade,
  selectPlace,
  selectDraft,
} = exploreSlice.selectors;

/** The result of the last search, or its error. */
export const selectSearchResult = createSelector(
  [exploreSlice.selectors.selectResults, selectSearched, selectFound, selectClusters],
  ({ state, error }, searched, challenges, clusters) => ({ state, error, searched, challenges, clusters }),
);
