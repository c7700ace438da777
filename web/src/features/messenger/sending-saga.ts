import { call, put, select, takeEvery } from 'redux-saga/effects';
import { logoutRequested } from '../../entities/auth/slice.ts';
import { selectConversation } from '../../entities/conversations/slice.ts';
import { connected, emitted, messageReceived } from '../../entities/realtime/events.ts';
import { isRejected, sentenceOf } from '../../shared/lib/errors.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { nextToSend, type OutgoingMessage } from './thread.ts';
import {
  messageSaved,
  messageSubmitted,
  missedReceived,
  newestReceived,
  outgoingDropped,
  retryRequested,
  selectRetryable,
  selectThread,
  selectUnsent,
  sendFailed,
  unsentRestored,
} from './threads-slice.ts';

/** Older messages are not retried automatically, since they may be outdated. */
const autoRetryMaxAgeMs = 24 * 60 * 60 * 1_000;

function* retryFailed() {
  const ids: ReturnType<typeof selectRetryable> = yield select(
    selectRetryable,
    Date.now() - autoRetryMaxAgeMs,
  );
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
  yield takeEvery(connected.type, retryFailed);
}

/** Timeout of a call. The message may have been saved: its clientId prevents a duplicate after a retry. */
const requestTimeoutMs = 20_000;

function* sendOne(deps: Deps, userId: number, conversationId: number, { text, clientId }: OutgoingMessage) {
  const message = yield* request(deps, (api) =>
    api.sendMessage(
      { body: { text, conversationId, clientId } },
      { signal: AbortSignal.timeout(requestTimeoutMs) },
    ),
  );
  yield put(messageSaved(message));
  const conversation: ReturnType<typeof selectConversation> = yield select(
    selectConversation,
    conversationId,
  );
  if (!conversation) return;
  const data = { senderId: userId, receiverId: conversation.user.id, text };
  yield put(emitted({ name: 'sendMessage', data }));
}

/**
 * Sends the messages of a conversation one after the other, so that they are saved in the order in which they were
 * written.
 */
export function* sendingSession(deps: Deps, userId: number) {
  const running = new Set<number>();

  function* sendQueued(id: number) {
    if (running.has(id)) return;
    running.add(id);
    try {
      for (;;) {
        const thread: ReturnType<typeof selectThread> = yield select(selectThread, id);
        const next = nextToSend(thread);
        if (!next) return;
        yield call(sendOne, deps, userId, id, next);
      }
    } catch (error) {
      yield put(sendFailed({ id, error: sentenceOf(error), refused: isRejected(error) }));
    } finally {
      running.delete(id);
    }
  }

  yield takeEvery([messageSubmitted, retryRequested], ({ payload }) => sendQueued(payload.id));
}
