import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { FirstVisit, MembersOnly, VisitorsOnly } from './layout/guards.tsx';
import { PageLoading } from './layout/PageLoading.tsx';

const Home = lazy(() => import('../features/home/routes/Home.tsx'));
const Login = lazy(() => import('../features/auth/routes/Login.tsx'));
const Signup = lazy(() => import('../features/auth/routes/Signup.tsx'));
const Challenges = lazy(() => import('../features/challenges/routes/Challenges.tsx'));
const ChallengeDetail = lazy(() => import('../features/challenges/routes/ChallengeDetail.tsx'));
const Explore = lazy(() => import('../features/explore/routes/Explore.tsx'));
const Profile = lazy(() => import('./pages/ProfilePage.tsx'));
const PublicProfile = lazy(() => import('../features/users/routes/PublicProfile.tsx'));
const FindUsers = lazy(() => import('../features/users/routes/FindUsers.tsx'));
const Friends = lazy(() => import('../features/friends/routes/Friends.tsx'));
const FriendRequests = lazy(() => import('../features/friends/routes/FriendRequests.tsx'));
const Messenger = lazy(() => import('../features/messenger/routes/Messenger.tsx'));
const Leaderboard = lazy(() => import('../features/leaderboard/routes/Leaderboard.tsx'));
const Libraries = lazy(() => import('../features/libraries/routes/Libraries.tsx'));

/** Every path of the app. Matching pays no heed to capitals, as the spec's links need. */
export function AppRoutes() {
  return (
    <Suspense fallback={<PageLoading />}>
      <Routes>
        <Route
          path="/"
          element={
            <FirstVisit>
              <Home />
            </FirstVisit>
          }
        />
        <Route path="/home" element={<Home />} />
        <Route path="/challenges" element={<Challenges />} />
        <Route path="/challenges/:id" element={<ChallengeDetail />} />
        <Route path="/leaderboard" element={<Leaderboard />} />
        <Route path="/libraries" element={<Libraries />} />
        <Route path="/explore" element={<Explore />} />
        <Route element={<VisitorsOnly />}>
          <Route path="/login" element={<Login />} />
          <Route path="/signup" element={<Signup />} />
        </Route>
        <Route element={<MembersOnly />}>
          <Route path="/profile" element={<Profile />} />
          <Route path="/users" element={<FindUsers />} />
          <Route path="/users/:id" element={<PublicProfile />} />
          <Route path="/friends" element={<Friends />} />
          <Route path="/FriendsInvitation" element={<FriendRequests />} />
          <Route path="/pendingFriendRequests" element={<FriendRequests />} />
          <Route path="/messenger/:id?" element={<Messenger />} />
        </Route>
        <Route path="*" element={<FirstVisit />} />
      </Routes>
    </Suspense>
  );
}
