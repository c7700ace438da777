import { all, put, takeLatest, takeLeading } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import { askServer } from '../../shared/saga/ask-server.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import {
  challengeCreated,
  challengeDeleted,
  challengeFailed,
  challengeReceived,
  challengeRequested,
  challengeSubmitted,
  challengesFailed,
  challengesReceived,
  challengesRequested,
  createFailed,
  deleteFailed,
  deleteRequested,
} from './slice.ts';
import { sayOfChallenge as say } from './words.ts';

function* loadChallenges(deps: Deps) {
  const query = { scope: 'all', limit: '500' } as const;
  yield* askServer(deps, (api) => api.listChallenges({ query }), challengesReceived, challengesFailed);
}

function* loadChallenge(deps: Deps, { payload: id }: ReturnType<typeof challengeRequested>) {
  const params = { id: String(id) };
  yield* askServer(deps, (api) => api.getChallenge({ params }), challengeReceived, challengeFailed);
}

function* create(deps: Deps, { payload: body }: ReturnType<typeof challengeSubmitted>) {
  yield* askServer(deps, (api) => api.createChallenge({ body }), challengeCreated, createFailed);
}

/** A line that is already gone is no reason to stop. */
function* removeLine(deps: Deps, id: number) {
  try {
    yield* request(deps, (api) => api.leaveChallenge({ params: { id: String(id) } }));
  } catch {
    // The server removes what is left of the lines with the challenge.
  }
}

function* remove(deps: Deps, { payload: id }: ReturnType<typeof deleteRequested>) {
  try {
    const lines = yield* request(deps, (api) => api.listLines({ query: { challengeId: String(id) } }));
    yield all(lines.map((line) => removeLine(deps, line.id)));
    yield* request(deps, (api) => api.deleteChallenge({ params: { id: String(id) } }));
    deps.navigator.go('/challenges/');
    yield put(challengeDeleted(id));
    yield put(noticed({ text: say('deleted'), tone: 'good' }));
  } catch (error) {
    yield put(deleteFailed(sentenceOf(error)));
  }
}

/** Challenges: found, looked at, made and, by admins, deleted. */
export function* challengesSaga(deps: Deps) {
  yield takeLatest(challengesRequested.type, loadChallenges, deps);
  yield takeLatest(challengeRequested, loadChallenge, deps);
  yield takeLeading(challengeSubmitted, create, deps);
  yield takeLeading(deleteRequested, remove, deps);
}
