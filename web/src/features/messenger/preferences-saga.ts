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

/** What the person wants of chat: asked for once a page needs it. */
export function* preferencesSession(deps: Deps) {
  yield takeLatest(preferencesRequested.type, load, deps);
  yield takeLatest(preferencesSubmitted, save, deps);
  // A page may stand before this saga does.
  const state: ReturnType<typeof selectPreferencesState> = yield select(selectPreferencesState);
  if (state === 'loading') yield call(load, deps);
}
