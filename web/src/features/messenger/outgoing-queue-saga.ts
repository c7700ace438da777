import { call, put, select, takeEvery } from 'redux-saga/effects';
import { logoutRequested } from '../../entities/auth/slice.ts';
import { connected, messageReceived } from '../../entities/realtime/events.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import {
  messageSaved,
  messageSubmitted,
  missedReceived,
  newestReceived,
  outgoingDropped,
  retryRequested,
  selectRetryable,
  selectUnsent,
  unsentRestored,
} from './threads-slice.ts';

/** Older messages are not retried automatically, since they may be outdated. */
const sentByItself = 24 * 60 * 60 * 1_000;

function* sendAgain() {
  const ids: ReturnType<typeof selectRetryable> = yield select(selectRetryable, Date.now() - sentByItself);
  for (const id of ids) yield put(retryRequested({ id }));
}

/**
 * Stores messages that could not be sent beyond the visit, and sends them when the connection is back. A logout deletes
 * them.
 */
export function* unsentSession({ unsent }: Deps, userId: number) {
  function* save() {
    const current: ReturnType<typeof selectUnsent> = yield select(selectUnsent);
    yield call(unsent.write, userId, current);
  }
  const stored: ReturnType<typeof unsent.read> = yield call(unsent.read, userId);
  if (stored.length > 0) yield put(unsentRestored(stored));
  yield takeEvery(
    [messageSubmitted, messageSaved, messageReceived, newestReceived, missedReceived, outgoingDropped],
    save,
  );
  yield takeEvery(logoutRequested, () => unsent.write(userId, []));
  yield takeEvery(connected.type, sendAgain);
}
