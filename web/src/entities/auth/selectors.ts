import { authSlice } from './slice.ts';

export const { selectUser, selectAuthStatus, selectAuthRequest, selectAuthPending, selectAuthError } =
  authSlice.selectors;
