import { call, put, select, takeEvery } from 'redux-saga/effects';
import { logoutRequested } from '../../entities/auth/slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { draftChanged, draftsRestored, selectDrafts } from './drafts-slice.ts';
import {
  preferencesReceived,
  preferencesSaved,
  preferencesSubmitted,
  selectPreferences,
} from './preferences-slice.ts';
import { messageSubmitted } from './threads-slice.ts';

/** Keeps drafts over a visit, for who wants that; a logout takes them along, since others may use this browser. */
export function* draftsSession({ drafts }: Deps, userId: number) {
  function* keep() {
    const { keepDrafts }: ReturnType<typeof selectPreferences> = yield select(selectPreferences);
    const current: ReturnType<typeof selectDrafts> = yield select(selectDrafts);
    yield call(drafts.write, userId, keepDrafts ? current : []);
  }
  yield takeEvery(
    [draftChanged, messageSubmitted, preferencesReceived, preferencesSaved, preferencesSubmitted],
    keep,
  );
  yield takeEvery(logoutRequested, () => drafts.write(userId, []));
  const kept: ReturnType<typeof drafts.read> = yield call(drafts.read, userId);
  if (kept.length > 0) yield put(draftsRestored(kept));
}
