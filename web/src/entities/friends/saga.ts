import { call, put, takeEvery, takeLatest } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request, requestSaga } from '../../shared/saga/request.ts';
import { whileAuthenticated } from '../auth/while-authenticated.ts';
import { afterGap, friendRequestChanged, whenConnected } from '../realtime/events.ts';
import {
  acceptRequested,
  friendActionFailed,
  friendRequestAdded,
  friendRequested,
  friendRequestRemoved,
  friendRequestsFailed,
  friendRequestsReceived,
  friendRequestsRequested,
  friendRequestUpdated,
  removeRequested,
} from './slice.ts';
import { translatePeople as translate } from './translations.ts';

function* load(deps: Deps) {
  yield* requestSaga(deps, (api) => api.listFriendRequests(), friendRequestsReceived, friendRequestsFailed);
}

/** Reloads the list: another tab, or the other person, may have changed it. */
function* failed(deps: Deps, otherId: number, error: unknown) {
  yield put(friendActionFailed(otherId));
  yield put(noticed({ text: sentenceOf(error), tone: 'bad' }));
  yield* load(deps);
}

function* sendRequest(deps: Deps, { payload: friendId }: ReturnType<typeof friendRequested>) {
  try {
    const saved = yield* request(deps, (api) => api.requestFriend({ body: { friendId } }));
    // If the other person had sent a request first, it is accepted and returned.
    yield put(saved.friendId === friendId ? friendRequestAdded(saved) : friendRequestUpdated(saved));
  } catch (error) {
    yield* failed(deps, friendId, error);
  }
}

function* accept(deps: Deps, { payload: { id, otherId } }: ReturnType<typeof acceptRequested>) {
  try {
    const accepted = yield* request(deps, (api) => api.acceptFriend({ params: { id } }));
    yield put(friendRequestUpdated(accepted));
    yield put(noticed({ text: translate('nowFriends', { username: accepted.user.username }), tone: 'good' }));
  } catch (error) {
    yield* failed(deps, otherId, error);
  }
}

function* remove(deps: Deps, { payload }: ReturnType<typeof removeRequested>) {
  try {
    yield* request(deps, (api) => api.removeFriend({ params: { id: payload.id } }));
    yield put(friendRequestRemoved(payload));
  } catch (error) {
    yield* failed(deps, payload.otherId, error);
  }
}

function* watchFriends(deps: Deps) {
  yield takeEvery(friendRequested, sendRequest, deps);
  yield takeEvery(acceptRequested, accept, deps);
  yield takeEvery(removeRequested, remove, deps);
  yield call(whenConnected);
  const reloadTypes = [friendRequestsRequested.type, friendRequestChanged.type, ...afterGap];
  yield takeLatest(reloadTypes, load, deps);
  yield call(load, deps);
}

/** Friends and friend requests: loaded at the start, after each gap of the connection, and changed. */
export function* friendsSaga(deps: Deps) {
  yield* whileAuthenticated(deps, watchFriends);
}
