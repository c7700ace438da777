import { call, delay, put, select, takeEvery, takeLatest, takeLeading } from 'redux-saga/effects';
import {
  afterGap,
  connected,
  emitted,
  leaderboardChanged,
  pointsChanged,
} from '../../entities/realtime/events.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { requestSaga, resourcesInvalidated } from '../../shared/saga/request.ts';
import {
  leaderboardSlice,
  rankingClosed,
  rankingFailed,
  rankingReceived,
  rankingRequested,
  selectQuery,
  selectRanking,
} from './slice.ts';

const pointsOf = (ranking: ReturnType<typeof selectRanking>) =>
  JSON.stringify(ranking?.rows.map(({ id, points }) => [id, points]));

function* loadRanking(deps: Deps) {
  const before: ReturnType<typeof leaderboardSlice.selectSlice> = yield select(leaderboardSlice.selectSlice);
  if (!before.query) return;
  const { page, scope, period } = before.query;
  const query = { page: String(page), scope, ...(period === 'month' && { period }) };
  yield* requestSaga(deps, (api) => api.getLeaderboard({ query }), rankingReceived, rankingFailed);
  const after: ReturnType<typeof selectRanking> = yield select(selectRanking);
  // It was reloaded, since somebody earned points: whom the person would overtake may be another.
  if (before.request.state === 'ready' && pointsOf(before.shown) !== pointsOf(after))
    yield put(resourcesInvalidated(['getLeaderboard']));
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
