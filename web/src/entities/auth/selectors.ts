import { authSlice } from './slice.ts';

export const {
  selectUser,
  selectAuthStatus,
  selectIsSessionKnown,
  selectMailStep,
  selectAuthPending,
  selectAuthError,
  selectIsNew,
} = authSlice.selectors;
