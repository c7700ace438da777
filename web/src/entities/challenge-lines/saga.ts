import type { ChallengeLine, DevicePosition } from '@wayquest/contracts';
import { all, call, put, select, takeEvery, takeLatest, takeLeading } from 'redux-saga/effects';
import { isOutOfReach, problemCodeOf, sentenceOf } from '../../shared/lib/errors.ts';
import { dismissed, noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { requestSaga } from '../../shared/saga/request-saga.ts';
import { userReceived } from '../auth/slice.ts';
import { challengeCreated, challengeStale, participantsChanged } from '../challenges/slice.ts';
import { sayOfChallenge as say } from '../challenges/translations.ts';
import { joinedSentence } from './joined-sentence.ts';
import { selectOwnLine } from './selectors.ts';
import {
  actionFailed,
  type CheckIn,
  completeRequested,
  completionKept,
  type FailedCheckIn,
  joinRequested,
  leaveRequested,
  lineAdded,
  lineFinished,
  lineRemoved,
  linesFailed,
  linesReceived,
  linesRequested,
  participantsFailed,
  participantsReceived,
  participantsRequested,
  pointsCollected,
} from './slice.ts';

function* loadLines(deps: Deps) {
  yield* requestSaga(deps, (api) => api.listLines({ query: { limit: '500' } }), linesReceived, linesFailed);
}

function* loadParticipants(deps: Deps, { payload }: ReturnType<typeof participantsRequested>) {
  const challengeId = String(payload.challengeId);
  const ownQuery = payload.userId && { challengeId, userId: String(payload.userId) };
  yield* requestSaga(
    deps,
    (api) =>
      Promise.all([
        api.listLines({ query: { challengeId } }),
        // With very many participants the person's own may be on a later page.
        ownQuery ? api.listLines({ query: ownQuery }) : [],
      ]),
    ([lines, own]) => participantsReceived({ lines, own }),
    participantsFailed,
  );
}

/** Codes after which the challenge may be deleted: that deletes its participations, too. */
const goneCodes = new Set(['challenge-not-found', 'participation-not-found']);

function* reportFailure(challengeId: number, error: unknown) {
  yield put(actionFailed(sentenceOf(error)));
  if (goneCodes.has(problemCodeOf(error) ?? '')) yield put(challengeStale(challengeId));
}

/** Joins, and counts the person as a participant unless that is known already, as from another tab. */
function* enter(deps: Deps, challengeId: number) {
  const line = yield* request(deps, (api) => api.joinChallenge({ body: { challengeId } }));
  const known: ReturnType<typeof selectOwnLine> = yield select(selectOwnLine, challengeId);
  yield put(lineAdded(line));
  if (known?.id !== line.id) yield put(participantsChanged({ id: challengeId, by: 1 }));
  return line;
}

function* join(deps: Deps, { payload: challengeId }: ReturnType<typeof joinRequested>) {
  try {
    const line = yield* enter(deps, challengeId);
    yield put(noticed({ text: joinedSentence(line.challenge), tone: 'good' }));
  } catch (error) {
    yield* reportFailure(challengeId, error);
  }
}

/** The creator of a challenge joins it. */
function* takePart(deps: Deps, { payload: { id, name } }: ReturnType<typeof challengeCreated>) {
  try {
    yield* enter(deps, id);
    yield put(noticed({ text: say('created', { name }), tone: 'good' }));
  } catch {
    yield put(noticed({ text: say('createdOnly', { name }), tone: 'bad' }));
  }
}

function* leave(deps: Deps, { payload: { id, challengeId } }: ReturnType<typeof leaveRequested>) {
  try {
    yield* request(deps, (api) => api.leaveChallenge({ params: { id: String(id) } }));
    yield put(lineRemoved(id));
    yield put(participantsChanged({ id: challengeId, by: -1 }));
    yield put(noticed({ text: say('left'), tone: 'good' }));
  } catch (error) {
    yield* reportFailure(challengeId, error);
  }
}

function* collectPoints(deps: Deps, line: ChallengeLine, failedCheckIn: FailedCheckIn | undefined) {
  try {
    const { award, ...user } = yield* request(deps, (api) => api.awardPoints({ body: line.challenge }));
    // After leaving a completed challenge and joining it again, the points are those of the first time.
    const isOld = award.awardedAt !== undefined && award.awardedAt < line.joinedAt;
    const earned = isOld ? 0 : award.points;
    yield put(userReceived(user));
    const points = { from: user.points - earned, to: user.points };
    yield put(pointsCollected({ line, ...points, award, failedCheckIn }));
  } catch {
    // The points are awarded anyway, by the event of the completion.
    yield put(noticed({ text: say('pointsComing'), tone: 'good' }));
  }
}

/** Why a check-in failed. */
function failedCheckInOf(
  checkIn: CheckIn,
  position: DevicePosition | undefined,
  { checkedIn }: ChallengeLine,
): FailedCheckIn | undefined {
  if (checkIn === 'no' || checkedIn) return undefined;
  return position ? 'far' : 'unknown';
}

function* complete(deps: Deps, { payload: { line: joined, checkIn } }: ReturnType<typeof completeRequested>) {
  const { id, challengeId } = joined;
  let position: DevicePosition | undefined;
  try {
    if (checkIn !== 'no') position = yield call(deps.devicePosition);
    if (checkIn === 'required' && !position) {
      yield put(actionFailed(say('positionNeeded')));
      return;
    }
    const body = { completed: true, ...(position && { position }) };
    const line = yield* request(deps, (api) => api.updateLine({ params: { id: String(id) }, body }));
    yield put(dismissed());
    yield* collectPoints(deps, line, failedCheckInOf(checkIn, position, line));
    yield put(lineFinished(line));
    deps.navigator.go('/profile/');
  } catch (error) {
    if (isOutOfReach(error)) {
      const { name } = joined.challenge;
      const kept = { lineId: id, challengeId, name, doneAt: Date.now(), ...(position && { position }) };
      yield put(completionKept(kept));
      return;
    }
    yield* reportFailure(challengeId, error);
  }
}

/** Participation: joining, leaving, completing, and the other participants. */
export function* challengeLinesSaga(deps: Deps) {
  yield all([
    takeLatest(linesRequested.type, loadLines, deps),
    takeLatest(participantsRequested, loadParticipants, deps),
    takeEvery(challengeCreated, takePart, deps),
    takeLeading(joinRequested, join, deps),
    takeLeading(leaveRequested, leave, deps),
    takeLeading(completeRequested, complete, deps),
  ]);
}
