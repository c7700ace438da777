import { call, select, take } from 'redux-saga/effects';
import { authSaga } from '../entities/auth/saga.ts';
import { selectUser } from '../entities/auth/selectors.ts';
import { challengeLinesSaga } from '../entities/challenge-lines/saga.ts';
import { challengesSaga } from '../entities/challenges/saga.ts';
import { exploreSaga } from '../features/explore/saga.ts';
import { leaderboardSaga } from '../features/leaderboard/saga.ts';
import { usersSaga } from '../features/users/saga.ts';
import type { Deps } from '../shared/saga/deps.ts';
import { type FeatureSaga, keepAlive } from '../shared/saga/keep-alive.ts';

/** How the sagas come that only members need. */
export type LoadSagas = () => Promise<FeatureSaga[]>;

const everyones = [authSaga, usersSaga, challengesSaga, challengeLinesSaga, exploreSaga, leaderboardSaga];

/** Every feature's saga, each on its own feet; those of members' features once the first member is here. */
export function* rootSaga(deps: Deps, loadMemberSagas: LoadSagas) {
  for (const saga of everyones) yield keepAlive(saga, deps);
  yield keepAlive(function* membersSagas() {
    while (!(yield select(selectUser))) yield take('*');
    const sagas: FeatureSaga[] = yield call(loadMemberSagas);
    for (const saga of sagas) yield keepAlive(saga, deps);
  }, deps);
}
