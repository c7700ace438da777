import { call, delay, put, select, takeEvery, takeLatest, throttle } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request, requestSaga } from '../../shared/saga/request.ts';
import { whileAuthenticated } from '../auth/while-authenticated.ts';
import {
  friendRequestAdded,
  friendRequestsReceived,
  friendRequestUpdated,
  selectFriends,
} from '../friends/slice.ts';
import {
  afterGap,
  conversationCreated,
  messageDeleted,
  messageReceived,
  readReceived,
  whenConnected,
} from '../realtime/events.ts';
import {
  conversationFailed,
  conversationReceived,
  conversationRequested,
  conversationsFailed,
  conversationsReceived,
  conversationsRequested,
  selectConversations,
  selectConversationsState,
  selectStaleIds,
} from './slice.ts';

/** The minimum interval between two loads of missed messages. */
const minReloadIntervalMs = 1_000;

const conversationWith = (deps: Deps, friendId: number) =>
  request(deps, (api) => api.openConversation({ body: { friend: { id: friendId } } }));

function* load(deps: Deps, userId: number) {
  const params = { userId };
  yield* requestSaga(
    deps,
    (api) => api.listConversations({ params }),
    conversationsReceived,
    conversationsFailed,
  );
}

function* reload() {
  yield put(conversationsRequested());
}

/**
 * Loads the conversations of friends that are missing in the list. The server creates them by itself, too, so a failure
 * is not shown.
 */
function* ensureConversations(deps: Deps) {
  const state: ReturnType<typeof selectConversationsState> = yield select(selectConversationsState);
  if (state !== 'ready') return;
  const friends: ReturnType<typeof selectFriends> = yield select(selectFriends);
  const conversations: ReturnType<typeof selectConversations> = yield select(selectConversations);
  const covered = new Set(conversations.map(({ user }) => user.id));
  for (const { id } of friends.filter((friend) => !covered.has(friend.id))) {
    try {
      yield put(conversationReceived(yield* conversationWith(deps, id)));
    } catch {
      // `conversationCreated` is dispatched once it exists.
    }
  }
}

function* openWith(deps: Deps, { payload: friendId }: ReturnType<typeof conversationRequested>) {
  try {
    const conversation = yield* conversationWith(deps, friendId);
    yield put(conversationReceived(conversation));
    deps.navigator.go(`/messenger/${conversation.id}`);
  } catch (error) {
    yield put(conversationFailed());
    yield put(noticed({ text: sentenceOf(error), tone: 'bad' }));
  }
}

/** Reloads the list after missed messages. Others are counted as they arrive. */
function* reloadStale() {
  yield delay(minReloadIntervalMs / 4);
  const staleIds: ReturnType<typeof selectStaleIds> = yield select(selectStaleIds);
  if (staleIds.length > 0) yield put(conversationsRequested());
}

function* follow(deps: Deps, userId: number) {
  const friendsLoadedTypes = [
    conversationsReceived,
    friendRequestsReceived,
    friendRequestAdded,
    friendRequestUpdated,
  ];
  yield takeLatest(conversationsRequested.type, load, deps, userId);
  yield takeLatest(friendsLoadedTypes, ensureConversations, deps);
  yield takeEvery(conversationRequested, openWith, deps);
  const unreadChanges = [messageReceived.type, messageDeleted.type, readReceived.type];
  yield throttle(minReloadIntervalMs, unreadChanges, reloadStale);
  yield call(whenConnected);
  yield takeEvery([conversationCreated.type, ...afterGap], reload);
  yield call(reload);
}

/** Conversations: with whom, and how many messages are unread. */
export function* conversationsSaga(deps: Deps) {
  yield* whileAuthenticated(deps, follow);
}
