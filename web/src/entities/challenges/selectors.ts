import { challengesSlice } from './slice.ts';

export const {
  selectChallenges,
  selectChallenge,
  selectListState,
  selectListError,
  selectOneState,
  selectOneError,
  selectCreating,
  selectCreateError,
  selectDeleting,
  selectDeleteError,
} = challengesSlice.selectors;
