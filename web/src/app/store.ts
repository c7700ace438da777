import { combineReducers, configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { authSlice } from '../features/auth/slice.ts';
import { challengeLinesSlice } from '../features/challenge-lines/slice.ts';
import { challengesSlice } from '../features/challenges/slice.ts';
import { leaderboardSlice } from '../features/leaderboard/slice.ts';
import { usersSlice } from '../features/users/slice.ts';
import { noticeSlice } from '../shared/notice/notice-slice.ts';
import type { Deps } from '../shared/saga/deps.ts';
import { rootSaga } from './root-saga.ts';

const reducer = combineReducers({
  auth: authSlice.reducer,
  users: usersSlice.reducer,
  challenges: challengesSlice.reducer,
  challengeLines: challengeLinesSlice.reducer,
  leaderboard: leaderboardSlice.reducer,
  notice: noticeSlice.reducer,
});

/** The store, with its sagas running. */
export function createStore(deps: Deps) {
  const sagas = createSagaMiddleware();
  const store = configureStore({
    reducer,
    middleware: (standard) => standard({ thunk: false }).concat(sagas),
  });
  sagas.run(rootSaga, deps);
  return store;
}

export type Store = ReturnType<typeof createStore>;
