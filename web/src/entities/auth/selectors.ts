import { authSlice } from './slice.ts';

export const { selectUser, selectAuthStatus, selectAuthPending, selectAuthError } = authSlice.selectors;
