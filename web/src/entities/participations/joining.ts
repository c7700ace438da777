import { put, select } from 'redux-saga/effects';
import type { Joinable } from '../../shared/lib/intended-join.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { joinedSentence } from '../challenges/dates.ts';
import { participantsChanged } from '../challenges/slice.ts';
import { participationAdded, selectOwnParticipation } from './slice.ts';

/** Joins, and counts the person as a participant unless that is known already, as from another tab. */
export function* joinAndCount(deps: Deps, challengeId: number) {
  const participation = yield* request(deps, (api) => api.joinChallenge({ body: { challengeId } }));
  const known: ReturnType<typeof selectOwnParticipation> = yield select(selectOwnParticipation, challengeId);
  yield put(participationAdded(participation));
  if (known?.id !== participation.id) yield put(participantsChanged({ id: challengeId, by: 1 }));
  return participation;
}

/**
 * Joins a challenge, or the one of a suggestion, and says so, also to those who joined before: a repeated call changes nothing. Who
 * has completed it sees that on its page.
 */
export function* joinAnnounced(deps: Deps, joinable: Joinable) {
  const challengeId =
    typeof joinable === 'number'
      ? joinable
      : (yield* request(deps, (api) => api.createSuggestedChallenge({ body: { suggestion: joinable } }))).id;
  const participation = yield* joinAndCount(deps, challengeId);
  if (!participation.completed)
    yield put(noticed({ text: joinedSentence(participation.challenge), tone: 'good' }));
  return participation;
}
