import { delay, put, race, take, takeEvery } from 'redux-saga/effects';
import { conversationReceived, messagesSeen } from '../../entities/conversations/slice.ts';
import { afterGap } from '../../entities/realtime/events.ts';
import { isRefusal } from '../../shared/lib/errors.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';

/** How long a conversation's next mark waits after one that got through. */
const pause = 500;
/** How long it waits after one that did not: twice as long each time. */
const firstRetry = 2_000;
const maxRetry = 60_000;
/** After this long a mark counts as lost. */
const patience = 20_000;

/** Waits longer each time, but never past a new connection or the next mark, which may get through. */
function* beforeRetry(number: number) {
  const waits = Math.min(firstRetry * 2 ** number, maxRetry);
  yield race([delay(waits), take([messagesSeen.type, ...afterGap])]);
}

/** Tells the server how far the person has read: each conversation at its own pace, and again until it has heard. */
export function* readMarksSession(deps: Deps) {
  /** How far each conversation was read that the server has yet to hear of. */
  const untold = new Map<number, number>();
  const running = new Set<number>();

  /** Answers whether the server needs no more telling. */
  function* tell(id: number, messageId: number) {
    try {
      const read = yield* request(deps, (api) =>
        api.markConversationRead(
          { params: { id }, body: { messageId } },
          { signal: AbortSignal.timeout(patience) },
        ),
      );
      yield put(conversationReceived(read));
      return true;
    } catch (error) {
      console.warn('A read mark did not get through', error);
      return isRefusal(error);
    }
  }

  function* tellAll(id: number) {
    let failures = 0;
    for (let messageId = untold.get(id); messageId !== undefined; messageId = untold.get(id)) {
      if (yield* tell(id, messageId)) {
        if (untold.get(id) === messageId) untold.delete(id);
        yield delay(pause);
      } else {
        yield* beforeRetry(failures);
        failures += 1;
      }
    }
  }

  yield takeEvery(messagesSeen, function* seen({ payload: { conversationId: id, messageId } }) {
    untold.set(id, Math.max(messageId, untold.get(id) ?? 0));
    if (running.has(id)) return;
    running.add(id);
    yield* tellAll(id);
    running.delete(id);
  });
}
