import { call, delay, put, select, takeEvery, takeLatest, takeLeading } from 'redux-saga/effects';
import {
  afterGap,
  connected,
  emitted,
  leaderboardChanged,
  pointsChanged,
} from '../../entities/realtime/events.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { requestSaga } from '../../shared/saga/request.ts';
import { rankingClosed, rankingFailed, rankingReceived, rankingRequested, selectQuery } from './slice.ts';

function* loadRanking(deps: Deps) {
  const shown: ReturnType<typeof selectQuery> = yield select(selectQuery);
  if (!shown) return;
  const { page, scope, period } = shown;
  const query = { page: String(page), scope, ...(period === 'month' && { period }) };
  yield* requestSaga(deps, (api) => api.getLeaderboard({ query }), rankingReceived, rankingFailed);
}

/** All viewers are notified at the same time; a random delay spreads their calls. */
function* reloadAfterRandomDelay(deps: Deps) {
  yield delay(Math.random() * 1_000);
  yield call(loadRanking, deps);
}

/** Subscribes the socket to the leaderboard while it is shown. */
function* subscribe() {
  const query: ReturnType<typeof selectQuery> = yield select(selectQuery);
  yield put(emitted({ name: 'watchLeaderboard', data: query !== null }));
}

/** The leaderboard, one page at a time; the page that is shown is reloaded when points change. */
export function* leaderboardSaga(deps: Deps) {
  yield takeEvery([rankingRequested.type, rankingClosed.type, connected.type], subscribe);
  yield takeLatest([rankingRequested.type, pointsChanged.type, ...afterGap], loadRanking, deps);
  yield takeLeading(leaderboardChanged.type, reloadAfterRandomDelay, deps);
}
