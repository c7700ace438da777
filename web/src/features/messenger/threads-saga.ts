import type { Client } from '@wayquest/contracts';
import { call, select, takeEvery } from 'redux-saga/effects';
import { conversationsReceived } from '../../entities/conversations/slice.ts';
import { afterGap, messageReceived } from '../../entities/realtime/events.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { requestSaga } from '../../shared/saga/request-saga.ts';
import { createCatchUp } from './catch-up.ts';
import {
  messageSaved,
  newestFailed,
  newestReceived,
  olderFailed,
  olderReceived,
  olderRequested,
  selectOpenId,
  selectThread,
  threadOpened,
} from './threads-slice.ts';

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
  const { catchUp, heard: received } = createCatchUp(deps);

  function* bringUp(id: number) {
    const thread: ReturnType<typeof selectThread> = yield select(selectThread, id);
    if (thread?.newest.state === 'ready') {
      yield call(catchUp, id);
    } else {
      yield call(loadNewest, deps, id);
      // Messages may have arrived during the request.
      yield call(received, id, 0);
    }
  }
  function* bringUpOpen() {
    const openId: ReturnType<typeof selectOpenId> = yield select(selectOpenId);
    if (openId !== null) yield call(bringUp, openId);
  }

  /** The list is loaded once the socket is connected; the open conversation may have been loaded before. */
  function* compareOpen({ payload }: ReturnType<typeof conversationsReceived>) {
    const openId: ReturnType<typeof selectOpenId> = yield select(selectOpenId);
    const last = payload.find(({ id }) => id === openId)?.last;
    if (openId !== null && last) yield call(received, openId, last.id);
  }

  yield takeEvery(conversationsReceived, compareOpen);
  yield takeEvery(threadOpened, ({ payload }) => bringUp(payload));
  yield takeEvery(afterGap, bringUpOpen);
  yield takeEvery([messageReceived, messageSaved], ({ payload }) =>
    received(payload.conversationId, payload.id),
  );
  yield takeEvery(olderRequested, loadOlder, deps);
  // A page may have opened a conversation before this saga started.
  yield call(bringUpOpen);
}
