import { call, put, select, takeLatest } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { requestSaga } from '../../shared/saga/request-saga.ts';
import {
  preferencesFailed,
  preferencesNotSaved,
  preferencesReceived,
  preferencesRequested,
  preferencesSaved,
  preferencesSubmitted,
  selectPreferencesState,
} from './preferences-slice.ts';

function* load(deps: Deps) {
  yield* requestSaga(deps, (api) => api.getChatPreferences(), preferencesReceived, preferencesFailed);
}

function* save(deps: Deps, { payload: body }: ReturnType<typeof preferencesSubmitted>) {
  try {
    yield put(preferencesSaved(yield* request(deps, (api) => api.updateChatPreferences({ body }))));
  } catch (error) {
    yield* load(deps);
    yield put(preferencesNotSaved(sentenceOf(error)));
  }
}

/** The person's chat preferences: loaded once a page needs them. */
export function* preferencesSession(deps: Deps) {
  yield takeLatest(preferencesRequested.type, load, deps);
  yield takeLatest(preferencesSubmitted, save, deps);
  // A page may have requested them before this saga started.
  const state: ReturnType<typeof selectPreferencesState> = yield select(selectPreferencesState);
  if (state === 'loading') yield call(load, deps);
}
