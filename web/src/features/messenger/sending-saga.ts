import { call, fork, put, select, takeEvery } from 'redux-saga/effects';
import { selectConversation } from '../../entities/conversations/slice.ts';
import { connected, emitted, messageReceived } from '../../entities/realtime/events.ts';
import { translateCommon } from '../../shared/i18n/common.ts';
import { isRejected, isUnreachable, sentenceOf } from '../../shared/lib/errors.ts';
import { serverNow } from '../../shared/lib/server-time.ts';
import type { UnsentMessage } from '../../shared/lib/unsent-items.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { retrying } from '../../shared/saga/retrying.ts';
import { changesElsewhere } from '../../shared/saga/unsent-changes.ts';
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
  type ThreadsState,
  unsentRestored,
} from './threads-slice.ts';

const selectDue = (state: ThreadsState) => selectRetryable(state, serverNow());

function* retryFailed() {
  const ids: ReturnType<typeof selectRetryable> = yield select(selectDue);
  for (const id of ids) yield put(retryRequested({ id }));
}

/**
 * Stores messages beyond the visit until they are saved, and sends them when the connection is back. Other tabs show them, and
 * send them if this one does not.
 */
export function* unsentSession(deps: Deps, userId: number) {
  const { unsentItems } = deps;

  /** Adds the messages that are stored, and removes those that another tab has sent or discarded. */
  function* restore() {
    const stored = unsentItems.list(userId, 'message');
    const ids = new Set(stored.map(({ clientId }) => clientId));
    const shown: UnsentMessage[] = yield select(selectUnsent);
    for (const { conversationId: id, clientId } of shown) {
      if (!ids.has(clientId)) yield put(outgoingDropped({ id, clientId }));
    }
    yield put(unsentRestored(stored));
    yield call(retryFailed);
  }
  const forget = (messages: { clientId: string | null }[]) => {
    for (const { clientId } of messages) if (clientId) unsentItems.remove(userId, 'message', clientId);
  };
  yield takeEvery([messageSaved, messageReceived], ({ payload }) => forget([payload]));
  yield takeEvery([newestReceived, missedReceived], ({ payload }) => forget(payload.messages));
  yield takeEvery(outgoingDropped, ({ payload }) => forget([payload]));
  yield takeEvery(changesElsewhere(deps, userId), restore);
  yield fork(retrying, {
    attempt: retryFailed,
    selectWaits: select((state: ThreadsState) => selectDue(state).length > 0),
    occasions: [connected.type],
    stored: [sendFailed.type],
  });
  yield call(restore);
}

/** Timeout of a call. The message may have been saved: its clientId prevents a duplicate after a retry. */
const requestTimeoutMs = 20_000;

function* sendOne(deps: Deps, userId: number, conversationId: number, { text, clientId }: OutgoingMessage) {
  const sent = yield* request(deps, (api) =>
    deps.unsentItems.send(userId, 'message', clientId, {
      send: () =>
        api.sendMessage(
          { body: { text, conversationId, clientId } },
          { signal: AbortSignal.timeout(requestTimeoutMs) },
        ),
      onRejected: 'keep',
    }),
  );
  // Another tab has sent it: the message itself comes by the socket.
  if (!sent) return void (yield put(outgoingDropped({ id: conversationId, clientId })));
  yield put(messageSaved(sent.response));
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
      const reason = isUnreachable(error) ? null : sentenceOf(error);
      yield put(sendFailed({ id, error: reason, refused: isRejected(error) }));
    } finally {
      running.delete(id);
    }
  }

  yield takeEvery(messageSubmitted, function* keep({ payload: { id, outgoing } }) {
    const { clientId, text, createdAt } = outgoing;
    const message = { conversationId: id, clientId, text, createdAt };
    if (!deps.unsentItems.put(userId, 'message', message))
      yield put(noticed({ text: translateCommon('onlyInMemory'), tone: 'bad' }));
    yield* sendQueued(id);
  });
  yield takeEvery(retryRequested, ({ payload }) => sendQueued(payload.id));
}
