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

/** Name of the form of messages. */
const messages = 'messages';

/**
 * Stores drafts beyond the visit, if the person wants that; a logout deletes them, since others may use this browser.
 */
export function* draftsSession({ drafts, formDrafts }: Deps, userId: number) {
  function* save() {
    const { keepDrafts }: ReturnType<typeof selectPreferences> = yield select(selectPreferences);
    const current: ReturnType<typeof selectDrafts> = yield select(selectDrafts);
    yield call(drafts.write, userId, keepDrafts ? current : []);
    // Otherwise drafts are kept in this tab, since the session may end elsewhere while the person writes.
    const texts = Object.fromEntries(current.map(({ id, text }) => [String(id), text]));
    yield call(formDrafts.write, userId, messages, keepDrafts ? undefined : texts);
  }
  yield takeEvery(
    [draftChanged, messageSubmitted, preferencesReceived, preferencesSaved, preferencesSubmitted],
    save,
  );
  yield takeEvery(logoutRequested, () => drafts.write(userId, []));
  const stored: ReturnType<typeof drafts.read> = yield call(drafts.read, userId);
  const texts: ReturnType<typeof formDrafts.read> = yield call(formDrafts.read, userId, messages);
  const inTab = Object.entries(texts ?? {}).map(([id, text]) => ({ id: Number(id), text: String(text) }));
  if (stored.length + inTab.length > 0) yield put(draftsRestored([...stored, ...inTab]));
}
