import { delay, put, takeLatest } from 'redux-saga/effects';
import { problemCodeOf, sentenceOf } from '../../shared/lib/errors.ts';
import { isId } from '../../shared/lib/query-params.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request, requestSaga } from '../../shared/saga/request.ts';
import {
  peopleFailed,
  peopleFound,
  peopleSearched,
  publicUserReceived,
  userFailed,
  userNotFound,
  userRequested,
} from './slice.ts';

/** Pause in typing after which a search starts. */
const pause = 200;

function* loadUser(deps: Deps, { payload: id }: ReturnType<typeof userRequested>) {
  if (!isId(id)) {
    yield put(userNotFound());
    return;
  }
  try {
    const params = { id: String(id) };
    yield put(publicUserReceived(yield* request(deps, (api) => api.getUser({ params }))));
  } catch (error) {
    if (problemCodeOf(error) === 'user-not-found') yield put(userNotFound());
    yield put(userFailed(sentenceOf(error)));
  }
}

// A later search cancels an earlier one, so that a slow response is never shown for another text.
function* findPeople(deps: Deps, { payload: text }: ReturnType<typeof peopleSearched>) {
  const search = text.trim();
  if (search) yield delay(pause);
  const query = search ? { search, limit: 60 } : { suggested: 6 };
  yield* requestSaga(
    deps,
    (api) => api.listUsers({ query }),
    (people) => peopleFound({ text, people }),
    peopleFailed,
  );
}

/** Other users: their profiles, and the search. */
export function* usersSaga(deps: Deps) {
  yield takeLatest(userRequested, loadUser, deps);
  yield takeLatest(peopleSearched, findPeople, deps);
}
