import { call, put, select, takeLeading } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request, requestSaga } from '../../shared/saga/request.ts';
import { whileAuthenticated } from '../auth/while-authenticated.ts';
import { resyncRequested } from '../realtime/events.ts';
import {
  blockChangeFailed,
  blocked,
  blockRequested,
  blocksFailed,
  blocksReceived,
  blocksRequested,
  selectBlocksState,
  unblocked,
  unblockRequested,
} from './slice.ts';

function* load(deps: Deps) {
  yield* requestSaga(deps, (api) => api.listBlocks(), blocksReceived, blocksFailed);
}

function* change(deps: Deps, action: ReturnType<typeof blockRequested | typeof unblockRequested>) {
  const user = action.payload;
  try {
    if (blockRequested.match(action)) {
      yield* request(deps, (api) => api.blockUser({ body: { userId: user.id } }));
      yield put(blocked(user));
    } else {
      yield* request(deps, (api) => api.unblockUser({ params: { userId: String(user.id) } }));
      yield put(unblocked(user));
    }
    // A block changes friends, requests and conversations.
    yield put(resyncRequested());
  } catch (error) {
    yield put(blockChangeFailed());
    yield put(noticed({ text: sentenceOf(error), tone: 'bad' }));
  }
}

function* session(deps: Deps) {
  yield takeLeading(blocksRequested, load, deps);
  yield takeLeading([blockRequested, unblockRequested], change, deps);
  // A page may have requested it before this code was loaded.
  const state: ReturnType<typeof selectBlocksState> = yield select(selectBlocksState);
  if (state === 'loading') yield call(load, deps);
}

/** The users whom the person has blocked: loaded once a page needs them, and changed. */
export function* blocksSaga(deps: Deps) {
  yield* whileAuthenticated(deps, session);
}
