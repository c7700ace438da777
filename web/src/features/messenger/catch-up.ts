import { call, delay, put, race, select, take } from 'redux-saga/effects';
import { connected } from '../../entities/realtime/events.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { isBehind } from './thread.ts';
import { missedReceived, selectThread } from './threads-slice.ts';

const missedPerAnswer = 200;
const attempts = 5;

/** Pauses longer before each attempt, but not beyond a new connection. */
function* beforeAttempt(number: number) {
  if (number > 0) yield race([delay(500 * 2 ** number), take(connected)]);
}

/**
 * Loads missed messages of a conversation up to the newest one that is known. If this is requested again while it runs,
 * it loads once more, since the current response may be older.
 */
export function createCatchUp(deps: Deps) {
  const newestKnown = new Map<number, number>();
  /** Conversations that are being loaded, and whether to load them again. */
  const running = new Map<number, boolean>();

  function* thread(id: number) {
    const found: ReturnType<typeof selectThread> = yield select(selectThread, id);
    return found;
  }

  function* isStillBehind(id: number) {
    const known = yield* thread(id);
    return known !== undefined && isBehind(known, newestKnown.get(id) ?? 0);
  }

  function* load(id: number) {
    const after = (yield* thread(id))?.messages.at(-1)?.id;
    const messages = yield* request(deps, (api) =>
      api.listMessages({ params: { conversationId: id }, query: { after, limit: missedPerAnswer } }),
    );
    yield put(missedReceived({ id, messages }));
    return messages.length;
  }

  /** Returns the number of messages in the response; undefined after a failure. */
  function* tryToLoad(id: number) {
    try {
      return yield* load(id);
    } catch {
      return undefined;
    }
  }

  function* catchUp(id: number) {
    if (running.has(id)) return void running.set(id, true);
    try {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        yield call(beforeAttempt, attempt);
        running.set(id, false);
        let count = yield* tryToLoad(id);
        while (count === missedPerAnswer) count = yield* tryToLoad(id);
        if (running.get(id)) attempt = -1;
        else if (count !== undefined && !(yield* isStillBehind(id))) return;
      }
    } finally {
      running.delete(id);
    }
  }

  return {
    catchUp,
    *heard(id: number, messageId: number) {
      newestKnown.set(id, Math.max(newestKnown.get(id) ?? 0, messageId));
      if (yield* isStillBehind(id)) yield call(catchUp, id);
    },
  };
}
