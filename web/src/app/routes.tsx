import { Skeleton, VisuallyHidden } from '@mantine/core';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useReducer, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import {
  createRoutesFromElements,
  Link,
  matchRoutes,
  Navigate,
  Outlet,
  Route,
  useLocation,
  useRoutes,
} from 'react-router-dom';
import { selectAuthError, selectAuthStatus, sessionResumed } from '../entities/auth/slice.ts';
import { useCommonTranslations } from '../shared/i18n/common.ts';
import { lazyComponent } from '../shared/lib/lazy-loading.ts';
import { loadPart } from '../shared/lib/load-part.ts';
import type { ReturnTo } from '../shared/lib/return-to.ts';
import { siteName } from '../shared/lib/site.ts';
import { registerSagas } from '../shared/saga/feature-sagas.ts';
import { ErrorBoundary } from '../shared/ui/ErrorBoundary.tsx';
import { Failure } from '../shared/ui/Message.tsx';
import { Page, PageTitle } from '../shared/ui/Page.tsx';
import { Pending } from '../shared/ui/Pending.tsx';
import { useTranslations } from './layout/translations.ts';

/** Placeholder while a page's code is loading. */
function PageLoading() {
  return (
    <Page>
      <VisuallyHidden component="h1">{siteName}</VisuallyHidden>
      <Pending>
        <Skeleton height={36} width="min(320px, 70%)" mb={16} />
        <Skeleton height={18} width="min(480px, 90%)" mb={32} />
        <Skeleton height={220} radius="lg" />
      </Pending>
    </Page>
  );
}

interface Props {
  /** The reason, if known. */
  children?: string | null;
  onRetry?: () => void;
}

/** Shown instead of a page that could not be loaded. */
function PageFailure({ children, onRetry = () => location.reload() }: Props) {
  const t = useTranslations();
  const common = useCommonTranslations();
  const isOffline = document.documentElement.hasAttribute('data-offline');
  return (
    <Page width="medium">
      <PageTitle mb={24}>{t(isOffline ? 'notLoaded' : 'pageFailed')}</PageTitle>
      <Failure onRetry={onRetry} action={<Link to="/home">{t('toHome')}</Link>}>
        {children ?? common(isOffline ? 'unreachable' : 'internalError')}
      </Failure>
    </Page>
  );
}

/** Shown until it is known whether the person is logged in. */
function SessionPending() {
  const dispatch = useDispatch();
  const isFailed = useSelector(selectAuthStatus) === 'failed';
  const error = useSelector(selectAuthError);
  if (!isFailed) return <PageLoading />;
  return <PageFailure onRetry={() => dispatch(sessionResumed())}>{error}</PageFailure>;
}

/** Routes for members; others are redirected to the login, and back afterwards. */
function MembersOnly() {
  const status = useSelector(selectAuthStatus);
  const { pathname, search } = useLocation();
  if (status === 'member') return <Outlet />;
  if (status !== 'visitor') return <SessionPending />;
  const state: ReturnTo = { from: pathname + search };
  return <Navigate to="/login" replace state={state} />;
}

/** Routes for visitors, such as login and sign-up. */
function VisitorsOnly() {
  const status = useSelector(selectAuthStatus);
  if (status === 'visitor') return <Outlet />;
  return status === 'member' ? <Arrival /> : <SessionPending />;
}

/** Shows its content to visitors, and redirects members to /home. */
function LandingPage({ children }: { children?: ReactNode }) {
  const status = useSelector(selectAuthStatus);
  if (status === 'starting') return <PageLoading />;
  return status === 'visitor' && children ? children : <Navigate to="/home" replace />;
}

/** A page whose code is loaded when it is first needed, and rendered immediately if it is loaded. */
function lazyPage(load: () => Promise<{ default: ComponentType }>) {
  let loaded: ComponentType | undefined;
  const loadOnce = async () => {
    const module = await loadPart(load);
    loaded = module.default;
    return module;
  };
  const Lazy = lazy(loadOnce);
  // The component must not change while it is mounted.
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each page, outside of any component
  const Page = () => {
    const [Shown] = useState(() => loaded ?? Lazy);
    return <Shown />;
  };
  return Object.assign(Page, { load: loadOnce });
}

/** A page that needs sagas, which run before it is rendered. */
const lazyWithSagas = (load: Parameters<typeof lazyPage>[0]) =>
  lazyPage(async () => {
    const [page, { pageSagas }] = await Promise.all([load(), import('./page-sagas.ts')]);
    registerSagas(pageSagas);
    return page;
  });

/** Loaded already with the page that somebody logged in on. */
const Arrival = lazyComponent(() => import('../features/auth/components/IntendedJoin.tsx'));
const Home = lazyPage(() => import('../features/home/routes/Home.tsx'));
const Login = lazyPage(() => import('../features/auth/routes/Login.tsx'));
const Signup = lazyPage(() => import('../features/auth/routes/Signup.tsx'));
const Forgot = lazyPage(() => import('../features/auth/routes/Forgot.tsx'));
const Reset = lazyPage(() => import('../features/auth/routes/Reset.tsx'));
const ConfirmEmail = lazyPage(() => import('../features/auth/routes/ConfirmEmail.tsx'));
const Challenges = lazyWithSagas(() => import('./pages/ChallengesPage.tsx'));
const ChallengeDetail = lazyWithSagas(() => import('../features/challenges/routes/ChallengeDetail.tsx'));
const EditChallenge = lazyWithSagas(() => import('../features/challenges/routes/EditChallenge.tsx'));
const Explore = lazyWithSagas(() => import('../features/explore/routes/Explore.tsx'));
const Profile = lazyWithSagas(() => import('./pages/ProfilePage.tsx'));
const Settings = lazyWithSagas(() => import('./pages/SettingsPage.tsx'));
const PublicProfile = lazyWithSagas(() => import('./pages/PublicProfilePage.tsx'));
const FindUsers = lazyWithSagas(() => import('../features/users/routes/FindUsers.tsx'));
const Friends = lazyPage(() => import('../features/friends/routes/Friends.tsx'));
const FriendRequests = lazyPage(() => import('../features/friends/routes/FriendRequests.tsx'));
const Messenger = lazyPage(() => import('../features/messenger/routes/Messenger.tsx'));
const Notifications = lazyPage(() => import('../features/notifications/routes/Notifications.tsx'));
const Decisions = lazyPage(() => import('../features/moderation/routes/Decisions.tsx'));
const Moderation = lazyPage(() => import('../features/moderation/routes/Moderation.tsx'));
const Accounts = lazyPage(() => import('../features/administration/routes/Accounts.tsx'));
const Appeal = lazyPage(() => import('../features/moderation/routes/Appeal.tsx'));
const Leaderboard = lazyWithSagas(() => import('../features/leaderboard/routes/Leaderboard.tsx'));
const Libraries = lazyPage(() => import('../features/libraries/routes/Libraries.tsx'));
const SitePage = lazyPage(() => import('../features/site/routes/SitePage.tsx'));

/** Every path of the app. Matching ignores case, as the spec's links require. */
const routes = createRoutesFromElements(
  <>
    <Route
      path="/"
      handle={Home.load}
      element={
        <LandingPage>
          <Home />
        </LandingPage>
      }
    />
    <Route path="/home" element={<Home />} handle={Home.load} />
    <Route path="/challenges" element={<Challenges />} handle={Challenges.load} />
    <Route path="/challenges/:id" element={<ChallengeDetail />} handle={ChallengeDetail.load} />
    <Route path="/leaderboard" element={<Leaderboard />} handle={Leaderboard.load} />
    <Route path="/libraries" element={<Libraries />} handle={Libraries.load} />
    <Route path="/rules" element={<SitePage />} handle={SitePage.load} />
    <Route path="/privacy" element={<SitePage />} handle={SitePage.load} />
    <Route path="/imprint" element={<SitePage />} handle={SitePage.load} />
    <Route path="/contact" element={<SitePage />} handle={SitePage.load} />
    <Route path="/explore" element={<Explore />} handle={Explore.load} />
    <Route path="/reset" element={<Reset />} handle={Reset.load} />
    <Route path="/confirm-email" element={<ConfirmEmail />} handle={ConfirmEmail.load} />
    <Route element={<VisitorsOnly />}>
      <Route path="/appeal" element={<Appeal />} handle={Appeal.load} />
      <Route path="/forgot" element={<Forgot />} handle={Forgot.load} />
      <Route path="/login" element={<Login />} handle={Login.load} />
      <Route path="/signup" element={<Signup />} handle={Signup.load} />
    </Route>
    <Route element={<MembersOnly />}>
      <Route path="/profile" element={<Profile />} handle={Profile.load} />
      <Route path="/settings" element={<Settings />} handle={Settings.load} />
      <Route path="/users" element={<FindUsers />} handle={FindUsers.load} />
      <Route path="/users/:id" element={<PublicProfile />} handle={PublicProfile.load} />
      <Route path="/friends" element={<Friends />} handle={Friends.load} />
      <Route path="/FriendsInvitation" element={<FriendRequests />} handle={FriendRequests.load} />
      <Route path="/pendingFriendRequests" element={<FriendRequests />} handle={FriendRequests.load} />
      <Route path="/challenges/:id/edit" element={<EditChallenge />} handle={EditChallenge.load} />
      <Route path="/notifications" element={<Notifications />} handle={Notifications.load} />
      <Route path="/decisions" element={<Decisions />} handle={Decisions.load} />
      <Route path="/moderation" element={<Moderation />} handle={Moderation.load} />
      <Route path="/admin/accounts" element={<Accounts />} handle={Accounts.load} />
      <Route path="/messenger/:id?" element={<Messenger />} handle={Messenger.load} />
    </Route>
    <Route path="*" element={<LandingPage />} />
  </>,
);

/** Loads the code of the page at a path, so that it can be rendered immediately. */
export async function loadPage(path: string): Promise<void> {
  const load: unknown = matchRoutes(routes, path)?.at(-1)?.route.handle;
  if (typeof load === 'function') await load();
}

/** The page at the address. On `wayquest:refresh` it is mounted again and reloads its data. */
export function AppRoutes() {
  const { pathname } = useLocation();
  const [mounts, remount] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    addEventListener('wayquest:refresh', remount);
    return () => removeEventListener('wayquest:refresh', remount);
  }, []);
  return (
    <ErrorBoundary key={mounts} resetKey={pathname} fallback={<PageFailure />}>
      <Suspense fallback={<PageLoading />}>{useRoutes(routes)}</Suspense>
    </ErrorBoundary>
  );
}
