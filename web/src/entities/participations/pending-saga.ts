import { buffers, type Channel } from 'redux-saga';
import { actionChannel, call, fork, put, select, take, takeEvery } from 'redux-saga/effects';
import { isRejected, sentenceOf } from '../../shared/lib/errors.ts';
import type { PendingCompletion } from '../../shared/lib/stored-lists.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { logoutRequested } from '../auth/slice.ts';
import { whileAuthenticated } from '../auth/while-authenticated.ts';
import { translateChallenge as translate } from '../challenges/translations.ts';
import { connected } from '../realtime/events.ts';
import {
  completionDropped,
  completionStored,
  participationCompleted,
  pendingRestored,
  selectPendingCompletions,
} from './slice.ts';

type Outcome = 'sent' | 'rejected' | 'no-response';

/** Sends a completion that was made offline. */
function* send(deps: Deps, { participationId, name, doneAt, position }: PendingCompletion) {
  // The device's clock may be wrong, but its differences are right.
  const secondsAgo = Math.max(0, Math.round((Date.now() - doneAt) / 1_000));
  const body = { completed: true, secondsAgo, ...(position && { position }) };
  try {
    const participation = yield* request(deps, (api) =>
      api.updateParticipation({ params: { id: String(participationId) }, body }),
    );
    yield put(participationCompleted(participation));
    yield put(completionDropped(participationId));
    return 'sent' satisfies Outcome;
  } catch (error) {
    if (!isRejected(error)) return 'no-response' satisfies Outcome;
    yield put(completionDropped(participationId));
    yield put(noticed({ text: translate('refusedLater', { name, reason: sentenceOf(error) }), tone: 'bad' }));
    return 'rejected' satisfies Outcome;
  }
}

/** After a rejection its notice stays, instead of a notice of those that were sent, which their pages show. */
function* sendAll(deps: Deps) {
  const pending: PendingCompletion[] = yield select(selectPendingCompletions);
  const sent: PendingCompletion[] = [];
  let isRejected = false;
  for (const one of pending) {
    const outcome: Outcome = yield* send(deps, one);
    if (outcome === 'no-response') break;
    if (outcome === 'sent') sent.push(one);
    else isRejected = true;
  }
  const [first] = sent;
  if (!first || isRejected) return;
  const text =
    sent.length === 1 ? translate('sentLater', first) : translate('severalSentLater', { count: sent.length });
  yield put(noticed({ text, tone: 'good' }));
}

/**
 * Sends what is pending at each connection and after the start. A connection during an attempt leads to another one, since the
 * attempt may still fail because of the time before it.
 */
function* sendWhenConnected(deps: Deps) {
  const occasions: Channel<{ type: string }> = yield actionChannel(
    [connected.type, pendingRestored.type],
    buffers.sliding(1),
  );
  for (;;) {
    yield take(occasions);
    yield* sendAll(deps);
  }
}

function* session(deps: Deps, userId: number) {
  const { pendingCompletions } = deps;
  yield takeEvery([completionStored, completionDropped], function* store() {
    const pending: PendingCompletion[] = yield select(selectPendingCompletions);
    yield call(pendingCompletions.write, userId, pending);
  });
  yield takeEvery(logoutRequested, function* discard() {
    const { length: count }: PendingCompletion[] = yield select(selectPendingCompletions);
    // Synchronous: the logout ends the session, and this saga, in the same tick.
    yield call(pendingCompletions.write, userId, []);
    if (count > 0) yield put(noticed({ text: translate('discarded', { count }), tone: 'bad' }));
  });
  yield fork(sendWhenConnected, deps);
  const stored: PendingCompletion[] = yield call(pendingCompletions.read, userId);
  if (stored.length > 0) yield put(pendingRestored(stored));
}

/** Stores what a member completed offline beyond the visit, and sends it once the server is connected. */
export function* pendingCompletionsSaga(deps: Deps) {
  yield* whileAuthenticated(deps, session);
}
