import { call, delay, put, select, takeEvery, takeLatest, takeLeading } from 'redux-saga/effects';
import {
  afterGap,
  connected,
  emitted,
  leaderboardMoved,
  pointsChanged,
} from '../../entities/realtime/events.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { requestSaga } from '../../shared/saga/request-saga.ts';
import { rankingClosed, rankingFailed, rankingReceived, rankingRequested, selectAsked } from './slice.ts';

function* loadRanking(deps: Deps) {
  const asked: ReturnType<typeof selectAsked> = yield select(selectAsked);
  if (!asked) return;
  const { page, scope, period } = asked;
  const query = { page: String(page), scope, ...(period === 'month' && { period }) };
  yield* requestSaga(deps, (api) => api.getLeaderboard({ query }), rankingReceived, rankingFailed);
}

/** All who look are told at the same moment; they need not all ask in it. */
function* followOthers(deps: Deps) {
  yield delay(Math.random() * 1_000);
  yield call(loadRanking, deps);
}

/** Tells the socket whether the ranking is on the screen. */
function* watch() {
  const asked: ReturnType<typeof selectAsked> = yield select(selectAsked);
  yield put(emitted({ name: 'watchLeaderboard', data: asked !== null }));
}

/** The ranking, a page at a time; the one on the screen follows everybody's points. */
export function* leaderboardSaga(deps: Deps) {
  yield takeEvery([rankingRequested.type, rankingClosed.type, connected.type], watch);
  yield takeLatest([rankingRequested.type, pointsChanged.type, ...afterGap], loadRanking, deps);
  yield takeLeading(leaderboardMoved.type, followOthers, deps);
}
