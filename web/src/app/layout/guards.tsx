import type { ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { selectAuthError, selectAuthStatus } from '../../entities/auth/selectors.ts';
import { sessionResumed } from '../../entities/auth/slice.ts';
import { joinsOf, placeBefore, type ReturnTo } from '../../shared/lib/return-to.ts';
import { PageFailure } from './PageFailure.tsx';
import { PageLoading } from './PageLoading.tsx';

/** In place of what depends on who looks. */
function UntilKnown() {
  const dispatch = useDispatch();
  const isFailed = useSelector(selectAuthStatus) === 'failed';
  const error = useSelector(selectAuthError);
  if (!isFailed) return <PageLoading />;
  return <PageFailure onRetry={() => dispatch(sessionResumed())}>{error}</PageFailure>;
}

/** Lets members in; others log in first and come back. */
export function MembersOnly() {
  const status = useSelector(selectAuthStatus);
  const { pathname, search } = useLocation();
  if (status === 'member') return <Outlet />;
  if (status !== 'visitor') return <UntilKnown />;
  const state: ReturnTo = { from: pathname + search };
  return <Navigate to="/login" replace state={state} />;
}

/** Login and sign-up; members are redirected to where they came from. */
export function VisitorsOnly() {
  const status = useSelector(selectAuthStatus);
  const location = useLocation();
  if (status === 'visitor') return <Outlet />;
  if (status !== 'member') return <UntilKnown />;
  return <Navigate to={placeBefore(location.state)} replace state={{ joins: joinsOf(location.state) }} />;
}

/** Shows a visitor its content at a path that members have no page for: they go to /home. */
export function FirstVisit({ children }: { children?: ReactNode }) {
  const status = useSelector(selectAuthStatus);
  if (status === 'starting') return <PageLoading />;
  return status === 'visitor' && children ? children : <Navigate to="/home" replace />;
}
