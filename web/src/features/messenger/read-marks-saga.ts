import { delay, put, race, take, takeEvery } from 'redux-saga/effects';
import { conversationReceived, messagesSeen } from '../../entities/conversations/slice.ts';
import { afterGap } from '../../entities/realtime/events.ts';
import { isRejected } from '../../shared/lib/errors.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';

/** Pause after a mark of a conversation was saved. */
const pause = 500;
/** Back-off after a failure; doubles each time. */
const firstRetry = 2_000;
const maxRetry = 60_000;
/** Timeout of a call. */
const requestTimeoutMs = 20_000;

/** Pauses longer after each failure, but not beyond a new connection or the next mark. */
function* beforeRetry(number: number) {
  const waits = Math.min(firstRetry * 2 ** number, maxRetry);
  yield race([delay(waits), take([messagesSeen.type, ...afterGap])]);
}

/** Saves how far the person has read: independently for each conversation, with retries. */
export function* readMarksSession(deps: Deps) {
  /** The unsaved mark of each conversation. */
  const unsaved = new Map<number, number>();
  const running = new Set<number>();

  /** Returns whether the mark needs no retry. */
  function* save(id: number, messageId: number) {
    try {
      const read = yield* request(deps, (api) =>
        api.markConversationRead(
          { params: { id }, body: { messageId } },
          { signal: AbortSignal.timeout(requestTimeoutMs) },
        ),
      );
      yield put(conversationReceived(read));
      return true;
    } catch (error) {
      console.warn('A read mark did not get through', error);
      return isRejected(error);
    }
  }

  function* saveAll(id: number) {
    let failures = 0;
    for (let messageId = unsaved.get(id); messageId !== undefined; messageId = unsaved.get(id)) {
      if (yield* save(id, messageId)) {
        if (unsaved.get(id) === messageId) unsaved.delete(id);
        yield delay(pause);
      } else {
        yield* beforeRetry(failures);
        failures += 1;
      }
    }
  }

  yield takeEvery(messagesSeen, function* seen({ payload: { conversationId: id, messageId } }) {
    unsaved.set(id, Math.max(messageId, unsaved.get(id) ?? 0));
    if (running.has(id)) return;
    running.add(id);
    yield* saveAll(id);
    running.delete(id);
  });
}
