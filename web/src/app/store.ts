import { combineReducers, configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { authSlice } from '../entities/auth/slice.ts';
import { challengeLinesSlice } from '../entities/challenge-lines/slice.ts';
import { challengesSlice } from '../entities/challenges/slice.ts';
import { conversationsSlice } from '../entities/conversations/slice.ts';
import { friendRequestsSlice } from '../entities/friends/slice.ts';
import { realtimeSlice } from '../entities/realtime/slice.ts';
import { accountSlice } from '../features/account/slice.ts';
import { exploreSlice } from '../features/explore/slice.ts';
import { leaderboardSlice } from '../features/leaderboard/slice.ts';
import { draftsSlice } from '../features/messenger/drafts-slice.ts';
import { chatPreferencesSlice } from '../features/messenger/preferences-slice.ts';
import { threadsSlice } from '../features/messenger/threads-slice.ts';
import { profileSlice } from '../features/profile/slice.ts';
import { peopleSlice } from '../features/users/people-slice.ts';
import { usersSlice } from '../features/users/slice.ts';
import { noticeSlice } from '../shared/notice/notice-slice.ts';
import type { Deps } from '../shared/saga/deps.ts';
import { type LoadSagas, rootSaga } from './root-saga.ts';

const reducer = combineReducers({
  auth: authSlice.reducer,
  users: usersSlice.reducer,
  people: peopleSlice.reducer,
  challenges: challengesSlice.reducer,
  challengeLines: challengeLinesSlice.reducer,
  explore: exploreSlice.reducer,
  leaderboard: leaderboardSlice.reducer,
  friendRequests: friendRequestsSlice.reducer,
  profile: profileSlice.reducer,
  account: accountSlice.reducer,
  conversations: conversationsSlice.reducer,
  threads: threadsSlice.reducer,
  drafts: draftsSlice.reducer,
  chatPreferences: chatPreferencesSlice.reducer,
  realtime: realtimeSlice.reducer,
  notice: noticeSlice.reducer,
});

const lazyMemberSagas: LoadSagas = async () => (await import('./member-sagas.ts')).memberSagas;

/** The store, with its sagas running. */
export function createStore(deps: Deps, loadMemberSagas = lazyMemberSagas) {
  const sagas = createSagaMiddleware();
  const store = configureStore({
    reducer,
    middleware: (standard) => standard({ thunk: false }).concat(sagas),
  });
  sagas.run(rootSaga, deps, loadMemberSagas);
  return store;
}

export type Store = ReturnType<typeof createStore>;
