import { put, takeLatest } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { rankingFailed, rankingReceived, rankingRequested } from './slice.ts';

function* loadRanking(deps: Deps, { payload: { page, scope } }: ReturnType<typeof rankingRequested>) {
  try {
    yield put(
      rankingReceived(
        yield* request(deps, (api) => api.getLeaderboard({ query: { page: String(page), scope } })),
      ),
    );
  } catch (error) {
    yield put(rankingFailed(sentenceOf(error)));
  }
}

/** The ranking, a page at a time. */
export function* leaderboardSaga(deps: Deps) {
  yield takeLatest(rankingRequested, loadRanking, deps);
}
