import { authSaga } from '../features/auth/saga.ts';
import { challengeLinesSaga } from '../features/challenge-lines/saga.ts';
import { challengesSaga } from '../features/challenges/saga.ts';
import { leaderboardSaga } from '../features/leaderboard/saga.ts';
import { usersSaga } from '../features/users/saga.ts';
import type { Deps } from '../shared/saga/deps.ts';
import { keepAlive } from '../shared/saga/keep-alive.ts';

/** Every feature's saga, each on its own feet. */
export function* rootSaga(deps: Deps) {
  for (const saga of [authSaga, usersSaga, challengesSaga, challengeLinesSaga, leaderboardSaga]) {
    yield keepAlive(saga, deps);
  }
}
