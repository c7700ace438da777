import { challengesSlice } from './slice.ts';

export const {
  selectChallenges,
  selectChallenge,
  selectAsked,
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
