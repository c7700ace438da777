import { put, takeLatest } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { publicUserReceived, userFailed, userRequested } from './slice.ts';

function* loadUser(deps: Deps, { payload: id }: ReturnType<typeof userRequested>) {
  try {
    yield put(publicUserReceived(yield* request(deps, (api) => api.getUser({ params: { id: String(id) } }))));
  } catch (error) {
    yield put(userFailed(sentenceOf(error)));
  }
}

/** Other people. */
export function* usersSaga(deps: Deps) {
  yield takeLatest(userRequested, loadUser, deps);
}
