import { exploreSlice } from './slice.ts';

export const {
  selectSettings,
  selectSettingsFailed,
  selectResults,
  selectResultsError,
  selectSearched,
  selectFound,
  selectClusters,
  selectDraft,
} = exploreSlice.selectors;
