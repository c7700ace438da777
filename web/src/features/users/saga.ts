import { delay, put, takeLatest } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { peopleFailed, peopleFound, peopleSearched } from './people-slice.ts';
import { publicUserReceived, userFailed, userRequested } from './slice.ts';

/** A pause in typing that is long enough to ask. */
const pause = 200;

function* loadUser(deps: Deps, { payload: id }: ReturnType<typeof userRequested>) {
  try {
    yield put(publicUserReceived(yield* request(deps, (api) => api.getUser({ params: { id: String(id) } }))));
  } catch (error) {
    yield put(userFailed(sentenceOf(error)));
  }
}

// A later search ends this one, so that a slow answer never stands under newer words.
function* findPeople(deps: Deps, { payload: text }: ReturnType<typeof peopleSearched>) {
  const search = text.trim();
  try {
    if (search) yield delay(pause);
    const query = search ? { search, limit: 60 } : { suggested: 6 };
    yield put(peopleFound({ text, people: yield* request(deps, (api) => api.listUsers({ query })) }));
  } catch (error) {
    yield put(peopleFailed(sentenceOf(error)));
  }
}

/** Other people. */
export function* usersSaga(deps: Deps) {
  yield takeLatest(userRequested, loadUser, deps);
  yield takeLatest(peopleSearched, findPeople, deps);
}
