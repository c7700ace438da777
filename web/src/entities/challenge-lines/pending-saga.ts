import { call, put, select, takeEvery, takeLeading } from 'redux-saga/effects';
import { isRefusal, sentenceOf } from '../../shared/lib/errors.ts';
import type { PendingCompletion } from '../../shared/lib/pending-completions.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { logoutRequested } from '../auth/slice.ts';
import { whileAuthenticated } from '../auth/while-member.ts';
import { sayOfChallenge as say } from '../challenges/translations.ts';
import { connected } from '../realtime/events.ts';
import { selectPendingCompletions } from './selectors.ts';
import { completionDropped, completionKept, lineFinished, pendingRestored } from './slice.ts';

/** Sends one that was completed offline; returns whether the server has answered. */
function* send(deps: Deps, { lineId, name, doneAt, position }: PendingCompletion) {
  // The device's clock may be wrong, but it tells how long ago something was.
  const secondsAgo = Math.max(0, Math.round((Date.now() - doneAt) / 1_000));
  const body = { completed: true, secondsAgo, ...(position && { position }) };
  try {
    const line = yield* request(deps, (api) => api.updateLine({ params: { id: String(lineId) }, body }));
    yield put(lineFinished(line));
    yield put(completionDropped(lineId));
    yield put(noticed({ text: say('sentLater', { name }), tone: 'good' }));
    return true;
  } catch (error) {
    if (!isRefusal(error)) return false;
    yield put(completionDropped(lineId));
    yield put(noticed({ text: say('refusedLater', { name, reason: sentenceOf(error) }), tone: 'bad' }));
    return true;
  }
}

function* sendAll(deps: Deps) {
  const pending: PendingCompletion[] = yield select(selectPendingCompletions);
  for (const one of pending) if (!(yield* send(deps, one))) return;
}

function* session(deps: Deps, userId: number) {
  const { pendingCompletions } = deps;
  yield takeEvery([completionKept, completionDropped], function* store() {
    const pending: PendingCompletion[] = yield select(selectPendingCompletions);
    yield call(pendingCompletions.write, userId, pending);
  });
  yield takeEvery(logoutRequested, () => pendingCompletions.write(userId, []));
  yield takeLeading([connected.type, pendingRestored.type], sendAll, deps);
  const stored: PendingCompletion[] = yield call(pendingCompletions.read, userId);
  if (stored.length > 0) yield put(pendingRestored(stored));
}

/** Keeps what a member completed offline over visits, and sends it once the server is connected. */
export function* pendingCompletionsSaga(deps: Deps) {
  yield* whileAuthenticated(deps, session);
}
