import { type Client, totalCountHeader } from '@wayquest/contracts';
import { all, delay, put, select, takeLatest, takeLeading } from 'redux-saga/effects';
import { browserTimeZone } from '../../shared/lib/days.ts';
import { problemCodeOf, sentenceOf } from '../../shared/lib/errors.ts';
import { formatPosition, isId } from '../../shared/lib/query-params.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { pageOf } from '../../shared/saga/page-of.ts';
import { request, requestSaga } from '../../shared/saga/request.ts';
import { challengeChanged } from '../realtime/events.ts';
import {
  type ChallengesPage,
  type ChallengesQuery,
  challengeCreated,
  challengeDeleted,
  challengeFailed,
  challengeGone,
  challengeReceived,
  challengeRequested,
  challengeStale,
  challengeSubmitted,
  challengesFailed,
  challengesReceived,
  challengesRequested,
  createFailed,
  deleteFailed,
  deleteRequested,
  moreFailed,
  moreReceived,
  moreRequested,
  selectChallenges,
  selectDeleting,
  selectNext,
  selectQuery,
} from './slice.ts';
import { translateChallenge as translate } from './translations.ts';

const perPage = 24;
/** Maximum page size of the service. */
const maxPageSize = 500;

/** The order of a list, and its position only if the order or the distance needs it. */
const orderOf = ({ sort, near, within }: ChallengesQuery) => {
  const isAround = near && (sort === 'nearest' || within);
  if (!isAround) return sort === 'newest' ? {} : { sort };
  return {
    sort,
    near: formatPosition(near),
    ...(within && { radius: String(Math.round(within * 1_000)) }),
  };
};

/** Loads a page of a list. */
async function loadPage(
  api: Client,
  filters: ChallengesQuery,
  limit: number,
  cursor?: string,
): Promise<ChallengesPage> {
  const { search, phase, difficulty, placeCategory } = filters;
  const query = {
    scope: 'all' as const,
    limit: String(limit),
    ...(search.trim() && { search }),
    ...(phase !== 'any' && { phase: phase ?? ('current' as const) }),
    ...(difficulty && { difficulty }),
    ...(placeCategory && { placeCategory }),
    ...orderOf(filters),
    ...(!cursor && { total: 'true' as const }),
    ...(cursor && { cursor }),
  };
  const { data, next, headers } = await pageOf((options) => api.listChallenges({ query }, options));
  const total = headers.get(totalCountHeader);
  return { challenges: data, next, total: total === null ? null : Number(total) };
}

/** Loads as much as was loaded before, so that the list can restore its position. */
function* loadChallenges(deps: Deps, { payload: filters, meta }: ReturnType<typeof challengesRequested>) {
  const listed: ReturnType<typeof selectChallenges> = yield select(selectChallenges);
  const limit = Math.min(maxPageSize, Math.max(perPage, listed.length, meta));
  yield* requestSaga(deps, (api) => loadPage(api, filters, limit), challengesReceived, challengesFailed);
}

function* loadMore(deps: Deps) {
  const filters: ReturnType<typeof selectQuery> = yield select(selectQuery);
  const next: ReturnType<typeof selectNext> = yield select(selectNext);
  if (!filters || !next) return;
  yield* requestSaga(deps, (api) => loadPage(api, filters, perPage, next), moreReceived, moreFailed);
}

/** Loading another list cancels the next page of the previous one. */
function* load(
  deps: Deps,
  action: ReturnType<typeof challengesRequested> | ReturnType<typeof moreRequested>,
) {
  if (challengesRequested.match(action)) yield* loadChallenges(deps, action);
  else yield* loadMore(deps);
}

function* loadChallenge(deps: Deps, id: number) {
  if (!isId(id)) {
    yield put(challengeGone(id));
    return;
  }
  try {
    yield put(challengeReceived(yield* request(deps, (api) => api.getChallenge({ params: { id } }))));
  } catch (error) {
    const isGone = problemCodeOf(error) === 'challenge-not-found';
    if (isGone) yield put(challengeGone(id));
    yield put(challengeFailed(sentenceOf(error)));
  }
}

/** All viewers are notified at the same time; a random delay spreads their calls. */
function* followChange(deps: Deps, { payload }: ReturnType<typeof challengeChanged>) {
  const { challengeId, deleted } = payload;
  if (!deleted) {
    yield delay(Math.random() * 1_000);
    yield* loadChallenge(deps, challengeId);
    return;
  }
  // The page from which it is deleted stays until the response.
  const isDeleting: ReturnType<typeof selectDeleting> = yield select(selectDeleting);
  if (!isDeleting) yield put(challengeGone(challengeId));
}

function* create(deps: Deps, { payload }: ReturnType<typeof challengeSubmitted>) {
  const body = { ...payload, timeZone: browserTimeZone() };
  yield* requestSaga(deps, (api) => api.createChallenge({ body }), challengeCreated, createFailed);
}

/** Leaves a challenge; a participation that no longer exists is no error. */
function* removeParticipation(deps: Deps, id: number) {
  try {
    yield* request(deps, (api) => api.leaveChallenge({ params: { id: String(id) } }));
  } catch {
    // The server deletes remaining participations with the challenge.
  }
}

function* remove(deps: Deps, { payload: id }: ReturnType<typeof deleteRequested>) {
  try {
    const participations = yield* request(deps, (api) =>
      api.listParticipations({ query: { challengeId: String(id) } }),
    );
    yield all(participations.map((participation) => removeParticipation(deps, participation.id)));
    yield* request(deps, (api) => api.deleteChallenge({ params: { id: String(id) } }));
    deps.navigator.go('/challenges/');
    yield put(challengeDeleted(id));
    yield put(noticed({ text: translate('deleted'), tone: 'good' }));
  } catch (error) {
    yield put(deleteFailed(sentenceOf(error)));
  }
}

/** Challenges: listed, loaded, created and deleted. */
export function* challengesSaga(deps: Deps) {
  yield takeLatest([challengesRequested, moreRequested], load, deps);
  yield takeLatest([challengeRequested, challengeStale], ({ payload }) => loadChallenge(deps, payload));
  yield takeLatest(challengeChanged, followChange, deps);
  yield takeLeading(challengeSubmitted, create, deps);
  yield takeLeading(deleteRequested, remove, deps);
}
