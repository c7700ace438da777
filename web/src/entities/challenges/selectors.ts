import { challengesSlice } from './slice.ts';

export const {
  selectChallenges,
  selectChallenge,
  selectAsked,
  selectNext,
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
