import type { ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { selectAuthError, selectAuthStatus, sessionResumed } from '../../entities/auth/slice.ts';
import { challengeToJoin, type ReturnTo, returnPath } from '../../shared/lib/return-to.ts';
import { PageFailure } from './PageFailure.tsx';
import { PageLoading } from './PageLoading.tsx';

/** Shown until it is known whether the person is logged in. */
function SessionPending() {
  const dispatch = useDispatch();
  const isFailed = useSelector(selectAuthStatus) === 'failed';
  const error = useSelector(selectAuthError);
  if (!isFailed) return <PageLoading />;
  return <PageFailure onRetry={() => dispatch(sessionResumed())}>{error}</PageFailure>;
}

/** Routes for members; others are redirected to the login, and back afterwards. */
export function MembersOnly() {
  const status = useSelector(selectAuthStatus);
  const { pathname, search } = useLocation();
  if (status === 'member') return <Outlet />;
  if (status !== 'visitor') return <SessionPending />;
  const state: ReturnTo = { from: pathname + search };
  return <Navigate to="/login" replace state={state} />;
}

/** Routes for visitors, such as login and sign-up; members are redirected to where they came from. */
export function VisitorsOnly() {
  const status = useSelector(selectAuthStatus);
  const location = useLocation();
  if (status === 'visitor') return <Outlet />;
  if (status !== 'member') return <SessionPending />;
  return (
    <Navigate to={returnPath(location.state)} replace state={{ joins: challengeToJoin(location.state) }} />
  );
}

/** Shows its content to visitors, and redirects members to /home. */
export function LandingPage({ children }: { children?: ReactNode }) {
  const status = useSelector(selectAuthStatus);
  if (status === 'starting') return <PageLoading />;
  return status === 'visitor' && children ? children : <Navigate to="/home" replace />;
}
