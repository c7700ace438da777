import { authSlice } from './slice.ts';

export const {
  selectUser,
  selectAuthStatus,
  selectMailStep,
  selectAuthPending,
  selectAuthError,
  selectIsNew,
} = authSlice.selectors;
