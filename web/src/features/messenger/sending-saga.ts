import { call, put, select, takeEvery } from 'redux-saga/effects';
import { selectConversation } from '../../entities/conversations/slice.ts';
import { emitted } from '../../entities/realtime/events.ts';
import { isRejected, sentenceOf } from '../../shared/lib/errors.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { nextToSend, type Outgoing } from './thread.ts';
import { messageSaved, messageSubmitted, retryRequested, selectThread, sendFailed } from './threads-slice.ts';

/** Timeout of a call. The message may have been saved: its clientId prevents a duplicate after a retry. */
const requestTimeoutMs = 20_000;

function* sendOne(deps: Deps, userId: number, conversationId: number, { text, clientId }: Outgoing) {
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

  function* sendWaiting(id: number) {
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

  yield takeEvery([messageSubmitted, retryRequested], ({ payload }) => sendWaiting(payload.id));
}
