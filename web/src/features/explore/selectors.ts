import { exploreSlice } from './slice.ts';

export const {
  selectSettings,
  selectSettingsFailed,
  selectResults,
  selectResultsError,
  selectSearched,
  selectFound,
  selectClusters,
  selectMade,
  selectPlace,
  selectDraft,
} = exploreSlice.selectors;
