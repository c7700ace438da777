import type { Participation } from '@wayquest/contracts';
import { all, call, put, takeEvery, takeLatest, takeLeading } from 'redux-saga/effects';
import { translateCommon } from '../../shared/i18n/common.ts';
import type { PositionResult } from '../../shared/lib/device-position.ts';
import { isRejected, problemCodeOf, sentenceOf } from '../../shared/lib/errors.ts';
import { serverNow } from '../../shared/lib/server-time.ts';
import { dismissed, noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request, requestSaga } from '../../shared/saga/request.ts';
import { userReceived } from '../auth/slice.ts';
import { challengeCreated, challengeStale, participantsChanged } from '../challenges/slice.ts';
import { nameOf } from '../challenges/texts.ts';
import { translateChallenge as translate } from '../challenges/translations.ts';
import { joinAndCount, joinAnnounced } from './joining.ts';
import { sendCompletion } from './pending-saga.ts';
import {
  actionFailed,
  type CheckIn,
  completeRequested,
  completionDropped,
  completionStored,
  type FailedCheckIn,
  joinRequested,
  leaveRequested,
  participantsFailed,
  participantsReceived,
  participantsRequested,
  participationCompleted,
  participationRemoved,
  participationsFailed,
  participationsReceived,
  participationsRequested,
  pointsCollected,
} from './slice.ts';

function* loadParticipations(deps: Deps) {
  yield* requestSaga(
    deps,
    (api) => api.listParticipations({ query: { limit: '500' } }),
    participationsReceived,
    participationsFailed,
  );
}

function* loadParticipants(deps: Deps, { payload }: ReturnType<typeof participantsRequested>) {
  const challengeId = String(payload.challengeId);
  const ownQuery = payload.userId && { challengeId, userId: String(payload.userId) };
  yield* requestSaga(
    deps,
    (api) =>
      Promise.all([
        api.listParticipations({ query: { challengeId } }),
        // With very many participants the person's own may be on a later page.
        ownQuery ? api.listParticipations({ query: ownQuery }) : [],
      ]),
    ([participations, own]) => participantsReceived({ participations, own }),
    participantsFailed,
  );
}

/** Codes after which the challenge may be deleted: that deletes its participations, too. */
const goneCodes = new Set(['challenge-not-found', 'participation-not-found']);

function* reportFailure(challengeId: number, error: unknown) {
  yield put(actionFailed(sentenceOf(error)));
  if (goneCodes.has(problemCodeOf(error) ?? '')) yield put(challengeStale(challengeId));
}

function* join(deps: Deps, { payload: challengeId }: ReturnType<typeof joinRequested>) {
  try {
    yield* joinAnnounced(deps, challengeId);
  } catch (error) {
    yield* reportFailure(challengeId, error);
  }
}

/** The creator of a challenge joins it. */
function* joinOwnChallenge(deps: Deps, { payload: { id, name } }: ReturnType<typeof challengeCreated>) {
  try {
    yield* joinAndCount(deps, id);
    yield put(noticed({ text: translate('created', { name }), tone: 'good' }));
  } catch {
    yield put(noticed({ text: translate('createdOnly', { name }), tone: 'bad' }));
  }
}

function* leave(deps: Deps, { payload: { id, challengeId } }: ReturnType<typeof leaveRequested>) {
  try {
    yield* request(deps, (api) => api.leaveChallenge({ params: { id: String(id) } }));
    yield put(participationRemoved(id));
    yield put(participantsChanged({ id: challengeId, by: -1 }));
    yield put(noticed({ text: translate('left'), tone: 'good' }));
  } catch (error) {
    yield* reportFailure(challengeId, error);
  }
}

function* collectPoints(deps: Deps, participation: Participation, failedCheckIn: FailedCheckIn | undefined) {
  try {
    const { award, ...user } = yield* request(deps, (api) =>
      api.awardPoints({ body: participation.challenge }),
    );
    // After leaving a completed challenge and joining it again, the points are those of the first time.
    const isEarlierAward = award.awardedAt !== undefined && award.awardedAt < participation.joinedAt;
    const earned = isEarlierAward ? 0 : award.points;
    yield put(userReceived(user));
    const points = { from: user.points - earned, to: user.points };
    yield put(pointsCollected({ participation, ...points, award, failedCheckIn }));
  } catch {
    // The points are awarded anyway, by the event of the completion.
    yield put(noticed({ text: translate('pointsComing'), tone: 'good' }));
  }
}

/** Why a check-in failed. */
function failedCheckInOf(
  checkIn: CheckIn,
  found: PositionResult | undefined,
  { checkedIn }: Participation,
): FailedCheckIn | undefined {
  if (checkIn === 'no' || checkedIn) return undefined;
  return typeof found === 'object' ? 'far' : found;
}

const positionProblems = { denied: 'positionDenied', 'not-found': 'positionNotFound' } as const;

/**
 * Completes a challenge. What the person did is stored before it is sent, and removed when the server has answered, so that it is
 * not lost whenever the page is closed; without a response it is sent later.
 */
function* complete(
  deps: Deps,
  { payload: { participation: joined, checkIn } }: ReturnType<typeof completeRequested>,
) {
  const { id, challengeId, userId } = joined;
  const doneAt = serverNow();
  const found: PositionResult | undefined = checkIn === 'no' ? undefined : yield call(deps.devicePosition);
  if (checkIn === 'required' && typeof found === 'string') {
    yield put(actionFailed(translate(positionProblems[found])));
    return;
  }
  const position = typeof found === 'object' ? found : undefined;
  const name = nameOf(joined.challenge);
  const item = { participationId: id, challengeId, name, doneAt, ...(position && { position }) };
  const isStored = deps.unsentItems.put(userId, 'completion', item);
  try {
    const participation = yield* sendCompletion(deps, userId, id, 'remove');
    yield put(completionDropped(id));
    yield put(dismissed());
    // Another tab has sent it, and shows what it earned.
    if (!participation) return yield* loadParticipations(deps);
    yield* collectPoints(deps, participation, failedCheckInOf(checkIn, found, participation));
    yield put(participationCompleted(participation));
    deps.navigator.go('/profile/');
  } catch (error) {
    if (isRejected(error)) {
      yield put(completionDropped(id));
      yield* reportFailure(challengeId, error);
      return;
    }
    yield put(completionStored(item));
    if (!isStored) yield put(noticed({ text: translateCommon('onlyInMemory'), tone: 'bad' }));
  }
}

/** Participation: joining, leaving, completing, and the other participants. */
export function* participationsSaga(deps: Deps) {
  yield all([
    takeLatest(participationsRequested.type, loadParticipations, deps),
    takeLatest(participantsRequested, loadParticipants, deps),
    takeEvery(challengeCreated, joinOwnChallenge, deps),
    takeLeading(joinRequested, join, deps),
    takeLeading(leaveRequested, leave, deps),
    takeLeading(completeRequested, complete, deps),
  ]);
}
