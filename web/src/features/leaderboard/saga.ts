import { select, takeLatest } from 'redux-saga/effects';
import { afterGap, pointsChanged } from '../../entities/realtime/events.ts';
import { askServer } from '../../shared/saga/ask-server.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { rankingFailed, rankingReceived, rankingRequested, selectAsked } from './slice.ts';

function* loadRanking(deps: Deps) {
  const asked: ReturnType<typeof selectAsked> = yield select(selectAsked);
  if (!asked) return;
  const query = { page: String(asked.page), scope: asked.scope };
  yield* askServer(deps, (api) => api.getLeaderboard({ query }), rankingReceived, rankingFailed);
}

/** The ranking, a page at a time; the one on the screen follows the person's points. */
export function* leaderboardSaga(deps: Deps) {
  yield takeLatest([rankingRequested.type, pointsChanged.type, ...afterGap], loadRanking, deps);
}
