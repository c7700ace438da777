import { createSelector } from '@reduxjs/toolkit';
import { exploreSlice } from './slice.ts';

export const {
  selectSettings,
  selectSettingsFailed,
  selectResults,
  selectSearched,
  selectFound,
  selectClusters,
  selectMade,
  selectPlace,
  selectDraft,
} = exploreSlice.selectors;

/** What the last search answered, or why it did not. */
export const selectAnswer = createSelector(
  [selectResults, selectSearched, selectFound, selectClusters],
  ({ state, error }, searched, challenges, clusters) => ({ state, error, searched, challenges, clusters }),
);
