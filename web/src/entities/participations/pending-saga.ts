import type { Participation } from '@wayquest/contracts';
import { call, fork, put, select, takeEvery } from 'redux-saga/effects';
import { isRejected } from '../../shared/lib/errors.ts';
import { secondsSince } from '../../shared/lib/server-time.ts';
import type { PendingCompletion } from '../../shared/lib/unsent-items.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { retrying } from '../../shared/saga/retrying.ts';
import { changesElsewhere } from '../../shared/saga/unsent-changes.ts';
import { whileAuthenticated } from '../auth/while-authenticated.ts';
import { translateChallenge as translate } from '../challenges/translations.ts';
import { connected } from '../realtime/events.ts';
import {
  completionDiscarded,
  completionDropped,
  completionRetried,
  completionStored,
  type ParticipationsState,
  participationCompleted,
  pendingRestored,
  selectPendingCompletions,
} from './slice.ts';

/**
 * Sends a stored completion with its age.
 *
 * @param onRejected - Whether a rejection ends it, or keeps it with the reason.
 * @returns The participation; undefined if another tab has sent it.
 */
export function* sendCompletion(
  deps: Deps,
  userId: number,
  participationId: number,
  onRejected: 'remove' | 'keep',
) {
  const sent = yield* request(deps, (api) =>
    deps.unsentItems.send(userId, 'completion', participationId, {
      send({ doneAt, position }) {
        const secondsAgo = secondsSince(doneAt);
        const { lat, lng, accuracy } = position ?? {};
        const found = lat !== undefined && lng !== undefined && accuracy !== undefined;
        return api.updateParticipation({
          params: { id: String(participationId) },
          body: {
            completed: true,
            secondsAgo,
            ...(found && { position: { lat, lng, accuracy, secondsAgo } }),
          },
        });
      },
      onRejected,
    }),
  );
  return sent?.response;
}

type Outcome = 'sent' | 'elsewhere' | 'rejected' | 'no-response';

/** Loads a participation that another tab has completed. */
function* reload(deps: Deps, userId: number, { challengeId }: PendingCompletion) {
  const query = { challengeId: String(challengeId), userId: String(userId) };
  const found: Participation[] = yield* request(deps, (api) => api.listParticipations({ query }));
  for (const participation of found) {
    if (participation.completed) yield put(participationCompleted(participation));
  }
}

/** Sends a completion that is pending. */
function* send(deps: Deps, userId: number, pending: PendingCompletion) {
  const { participationId } = pending;
  try {
    const participation = yield* sendCompletion(deps, userId, participationId, 'keep');
    yield put(completionDropped(participationId));
    if (participation) yield put(participationCompleted(participation));
    else yield* reload(deps, userId, pending);
    return (participation ? 'sent' : 'elsewhere') satisfies Outcome;
  } catch (error) {
    if (!isRejected(error)) return 'no-response' satisfies Outcome;
    const stored = deps.unsentItems.list(userId, 'completion');
    const refused = stored.find((one) => one.participationId === participationId);
    yield put(refused ? completionStored(refused) : completionDropped(participationId));
    return 'rejected' satisfies Outcome;
  }
}

function* sendAll(deps: Deps, userId: number) {
  const pending: ReturnType<typeof selectPendingCompletions> = yield select(selectPendingCompletions);
  if (pending.length === 0) return;
  const isAnswered: boolean = yield call(deps.askServerTime);
  if (!isAnswered) return;
  const sent: PendingCompletion[] = [];
  for (const one of pending) {
    const outcome: Outcome = yield* send(deps, userId, one);
    if (outcome === 'no-response') break;
    if (outcome === 'sent') sent.push(one);
  }
  const [first] = sent;
  if (!first) return;
  const text =
    sent.length === 1 ? translate('sentLater', first) : translate('severalSentLater', { count: sent.length });
  yield put(noticed({ text, tone: 'good' }));
}

function* session(deps: Deps, userId: number) {
  const { unsentItems } = deps;
  /** Shows what is stored, also by other tabs. */
  function* restore() {
    yield put(pendingRestored(unsentItems.list(userId, 'completion')));
  }
  yield takeEvery(changesElsewhere(deps, userId), restore);
  yield takeEvery(completionRetried, function* retry({ payload: { refused: _, ...completion } }) {
    unsentItems.put(userId, 'completion', completion);
    yield* restore();
  });
  yield takeEvery(completionDiscarded, function* discard({ payload: { participationId } }) {
    unsentItems.remove(userId, 'completion', participationId);
    yield put(completionDropped(participationId));
  });
  // At each connection, and after the start.
  yield fork(retrying, {
    attempt: () => sendAll(deps, userId),
    selectWaits: select((state: ParticipationsState) => selectPendingCompletions(state).length > 0),
    occasions: [connected.type, pendingRestored.type],
    stored: [completionStored.type],
  });
  yield* restore();
}

/** Sends completions that got no response, at this visit or a later one. */
export function* pendingCompletionsSaga(deps: Deps) {
  yield* whileAuthenticated(deps, session);
}
