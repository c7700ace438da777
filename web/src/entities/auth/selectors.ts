import { authSlice } from './slice.ts';

export const {
  selectUser,
  selectAuthStatus,
  selectAuthRequest,
  selectAuthPending,
  selectAuthError,
  selectIsNew,
} = authSlice.selectors;
