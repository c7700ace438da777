import type { Challenge } from '@wayquest/contracts';
import { all, put, spawn, takeLatest, takeLeading } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { lineAdded } from '../challenge-lines/slice.ts';
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

function* loadChallenges(deps: Deps) {
  try {
    const found = yield* request(deps, (api) =>
      api.listChallenges({ query: { scope: 'all', limit: '500' } }),
    );
    yield put(challengesReceived(found));
  } catch (error) {
    yield put(challengesFailed(sentenceOf(error)));
  }
}

function* loadChallenge(deps: Deps, { payload: id }: ReturnType<typeof challengeRequested>) {
  try {
    yield put(
      challengeReceived(yield* request(deps, (api) => api.getChallenge({ params: { id: String(id) } }))),
    );
  } catch (error) {
    yield put(challengeFailed(sentenceOf(error)));
  }
}

/** Whoever makes a challenge is in it at once. */
function* takePart(deps: Deps, { id, name }: Challenge) {
  try {
    yield put(lineAdded(yield* request(deps, (api) => api.joinChallenge({ body: { challengeId: id } }))));
    yield put(noticed({ text: `“${name}” is on the list, and you're in.`, tone: 'good' }));
  } catch {
    yield put(noticed({ text: `“${name}” is on the list. Open it to join.`, tone: 'bad' }));
  }
}

function* create(deps: Deps, { payload: body }: ReturnType<typeof challengeSubmitted>) {
  try {
    const challenge = yield* request(deps, (api) => api.createChallenge({ body }));
    yield put(challengeCreated(challenge));
    // Another one can be made meanwhile.
    yield spawn(takePart, deps, challenge);
  } catch (error) {
    yield put(createFailed(sentenceOf(error)));
  }
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
    yield put(noticed({ text: 'The challenge is deleted.', tone: 'good' }));
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
