import { challengesSlice } from './slice.ts';

export const {
  selectChallenges,
  selectChallenge,
  selectQuery,
  selectNext,
  selectTotal,
  selectMore,
  selectListState,
  selectListError,
  selectIsGone,
  selectOneState,
  selectOneError,
  selectCreating,
  selectCreatedId,
  selectCreateError,
  selectDeleting,
  selectDeleteError,
} = challengesSlice.selectors;
