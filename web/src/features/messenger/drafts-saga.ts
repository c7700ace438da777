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

/** The form that messages are written in. */
const messages = 'messages';

/** Keeps drafts over a visit, for who wants that; a logout takes them along, since others may use this browser. */
export function* draftsSession({ drafts, formDrafts }: Deps, userId: number) {
  function* keep() {
    const { keepDrafts }: ReturnType<typeof selectPreferences> = yield select(selectPreferences);
    const current: ReturnType<typeof selectDrafts> = yield select(selectDrafts);
    yield call(drafts.write, userId, keepDrafts ? current : []);
    // Who wants none kept has them in this tab all the same, as long as they write: the session may end elsewhere.
    const texts = Object.fromEntries(current.map(({ id, text }) => [String(id), text]));
    yield call(formDrafts.write, userId, messages, keepDrafts ? undefined : texts);
  }
  yield takeEvery(
    [draftChanged, messageSubmitted, preferencesReceived, preferencesSaved, preferencesSubmitted],
    keep,
  );
  yield takeEvery(logoutRequested, () => drafts.write(userId, []));
  const kept: ReturnType<typeof drafts.read> = yield call(drafts.read, userId);
  const texts: ReturnType<typeof formDrafts.read> = yield call(formDrafts.read, userId, messages);
  const inTab = Object.entries(texts ?? {}).map(([id, text]) => ({ id: Number(id), text: String(text) }));
  if (kept.length + inTab.length > 0) yield put(draftsRestored([...kept, ...inTab]));
}
