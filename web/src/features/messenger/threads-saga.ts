import type { Client } from '@wayquest/contracts';
import { call, delay, put, race, select, take, takeEvery } from 'redux-saga/effects';
import { conversationsReceived } from '../../entities/conversations/slice.ts';
import { afterGap, connected, messageReceived } from '../../entities/realtime/events.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request, requestSaga } from '../../shared/saga/request.ts';
import { isBehind } from './thread.ts';
import {
  messageSaved,
  missedReceived,
  newestFailed,
  newestReceived,
  olderFailed,
  olderReceived,
  olderRequested,
  selectOpenId,
  selectThread,
  threadOpened,
  threadRestarted,
} from './threads-slice.ts';

const missedPageSize = 200;
/** So many missed pages are loaded; beyond, the conversation begins again with the newest messages. */
const maxMissedPages = 5;
/** How many loaded messages, at most, are loaded once more, since they may have been deleted meanwhile. */
const reloaded = 500;
const attempts = 5;

/** Pauses longer before each attempt, but not beyond a new connection. */
function* beforeAttempt(number: number) {
  if (number > 0) yield race([delay(500 * 2 ** number), take(connected)]);
}

/**
 * Loads missed messages of a conversation up to the newest one that is known. If this is requested again while it runs,
 * it loads once more, since the current response may be older.
 */
function createCatchUp(deps: Deps) {
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

  function* load(id: number, overlap: number) {
    const loaded = (yield* thread(id))?.messages ?? [];
    const [first, last] = [loaded[0], loaded.at(-1)];
    const after = first && last && Math.max(first.id - 1, last.id - overlap);
    const messages = yield* request(deps, (api) =>
      api.listMessages({ params: { conversationId: id }, query: { after, limit: missedPageSize } }),
    );
    yield put(missedReceived({ id, messages }));
    return messages.length;
  }

  /** Returns the number of messages in the response; undefined after a failure. */
  function* tryToLoad(id: number, overlap = 0) {
    try {
      return yield* load(id, overlap);
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
        let count = yield* tryToLoad(id, reloaded);
        for (let page = 1; count === missedPageSize && page < maxMissedPages; page += 1)
          count = yield* tryToLoad(id);
        if (count === missedPageSize) {
          yield put(threadRestarted(id));
          yield* loadNewest(deps, id);
        }
        if (running.get(id)) attempt = -1;
        else if (count !== undefined && !(yield* isStillBehind(id))) return;
      }
    } finally {
      running.delete(id);
    }
  }

  return {
    catchUp,
    *received(id: number, messageId: number) {
      newestKnown.set(id, Math.max(newestKnown.get(id) ?? 0, messageId));
      if (yield* isStillBehind(id)) yield call(catchUp, id);
    },
  };
}

const perPage = 50;

const listMessages = (conversationId: number, before?: number) => (api: Client) =>
  api.listMessages({ params: { conversationId }, query: { before, limit: perPage } });

function* loadNewest(deps: Deps, id: number) {
  yield* requestSaga(
    deps,
    listMessages(id),
    (messages) => newestReceived({ id, messages, complete: messages.length < perPage }),
    (error) => newestFailed({ id, error }),
  );
}

function* loadOlder(deps: Deps, { payload: id }: ReturnType<typeof olderRequested>) {
  const thread: ReturnType<typeof selectThread> = yield select(selectThread, id);
  yield* requestSaga(
    deps,
    listMessages(id, thread?.messages[0]?.id),
    (messages) => olderReceived({ id, messages, complete: messages.length < perPage }),
    (error) => olderFailed({ id, error }),
  );
}

/**
 * Messages: loaded when a conversation is opened, older ones on request, missed ones after each gap of the connection.
 */
export function* threadsSession(deps: Deps) {
  const { catchUp, received } = createCatchUp(deps);

  function* refreshThread(id: number) {
    const thread: ReturnType<typeof selectThread> = yield select(selectThread, id);
    if (thread?.newest.state === 'ready') {
      yield call(catchUp, id);
    } else {
      yield call(loadNewest, deps, id);
      // Messages may have arrived during the request.
      yield call(received, id, 0);
    }
  }
  function* refreshOpenThread() {
    const openId: ReturnType<typeof selectOpenId> = yield select(selectOpenId);
    if (openId !== null) yield call(refreshThread, openId);
  }

  /** The list is loaded once the socket is connected; the open conversation may have been loaded before. */
  function* catchUpOpenThread({ payload }: ReturnType<typeof conversationsReceived>) {
    const openId: ReturnType<typeof selectOpenId> = yield select(selectOpenId);
    const last = payload.find(({ id }) => id === openId)?.last;
    if (openId !== null && last) yield call(received, openId, last.id);
  }

  yield takeEvery(conversationsReceived, catchUpOpenThread);
  yield takeEvery(threadOpened, ({ payload }) => refreshThread(payload));
  yield takeEvery(afterGap, refreshOpenThread);
  yield takeEvery([messageReceived, messageSaved], ({ payload }) =>
    received(payload.conversationId, payload.id),
  );
  yield takeEvery(olderRequested, loadOlder, deps);
  // A page may have opened a conversation before this saga started.
  yield call(refreshOpenThread);
}
