import { call, put, select, takeLatest } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import {
  preferencesFailed,
  preferencesReceived,
  preferencesRequested,
  preferencesSubmitted,
  selectPreferencesState,
} from './preferences-slice.ts';

function* load(deps: Deps) {
  try {
    yield put(preferencesReceived(yield* request(deps, (api) => api.getChatPreferences())));
  } catch (error) {
    yield put(preferencesFailed(sentenceOf(error)));
  }
}

function* save(deps: Deps, { payload: body }: ReturnType<typeof preferencesSubmitted>) {
  try {
    yield put(preferencesReceived(yield* request(deps, (api) => api.updateChatPreferences({ body }))));
  } catch (error) {
    yield* load(deps);
    yield put(preferencesFailed(sentenceOf(error)));
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
