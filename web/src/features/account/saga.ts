import type { Client } from '@wayquest/contracts';
import { call, put, select, takeEvery, takeLatest, takeLeading } from 'redux-saga/effects';
import { loggedOut, selectUser, userReceived } from '../../entities/auth/slice.ts';
import { shortDay } from '../../shared/lib/days.ts';
import { problemCodeOf, sentenceOf } from '../../shared/lib/errors.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request, requestSaga } from '../../shared/saga/request.ts';
import {
  addressClaimed,
  type DeletionRequest,
  deletionFailed,
  deletionSubmitted,
  type EmailChange,
  endingFailed,
  everySessionEndSubmitted,
  linkFailed,
  linkSent,
  type PasswordChange,
  passwordChanged,
  passwordFailed,
  passwordRequired,
  passwordSubmitted,
  selectSessionsRequest,
  sessionEndedThere,
  sessionEndSubmitted,
  sessionsFailed,
  sessionsReceived,
  sessionsRequested,
} from './slice.ts';
import { translate } from './translations.ts';

function* load(deps: Deps) {
  const loadAll = async (api: Client) => {
    const [account, sessions] = await Promise.all([api.getAccount(), api.listSessions()]);
    return { account, sessions };
  };
  yield* requestSaga(deps, loadAll, sessionsReceived, sessionsFailed);
}

function* endSession(deps: Deps, id: string) {
  try {
    yield* request(deps, (api) => api.endSession({ params: { id } }));
    yield put(sessionEndedThere(id));
  } catch (error) {
    // The session has ended already, which is the desired result.
    if (problemCodeOf(error) === 'session-not-found') yield put(sessionEndedThere(id));
    else yield put(endingFailed(sentenceOf(error)));
  }
}

function* endAllSessions(deps: Deps) {
  try {
    yield* request(deps, (api) => api.endSessions());
    deps.tokens.clear();
    yield put(loggedOut());
    deps.navigator.go('/login');
  } catch (error) {
    yield put(endingFailed(sentenceOf(error)));
  }
}

function* deleteAccount(deps: Deps, body: DeletionRequest) {
  try {
    const { deletesAt } = yield* request(deps, (api) => api.deleteAccount({ body }));
    deps.tokens.clear();
    yield put(loggedOut());
    deps.navigator.go('/login');
    // Shown until it is dismissed.
    yield put(
      noticed({ text: translate('deletedOn', { day: shortDay(deletesAt.slice(0, 10)) }), tone: 'bad' }),
    );
  } catch (error) {
    yield put(deletionFailed(sentenceOf(error)));
  }
}

function* changePassword(deps: Deps, body: PasswordChange) {
  try {
    const { token } = yield* request(deps, (api) => api.changePassword({ body }));
    deps.tokens.write(token);
    yield put(passwordChanged());
    yield put(noticed({ text: translate('passwordChanged'), tone: 'good' }));
    yield* load(deps);
  } catch (error) {
    yield put(passwordFailed(sentenceOf(error)));
  }
}

function* claimAddress(deps: Deps, body: EmailChange) {
  try {
    const user: ReturnType<typeof selectUser> = yield select(selectUser);
    if (user?.email === body.email) {
      yield* request(deps, (api) => api.changeEmail({ body }));
    } else {
      // The profile has the address, too; its service requests the link.
      yield put(userReceived(yield* request(deps, (api) => api.updateMe({ body }))));
      yield* load(deps);
    }
    yield put(linkSent());
  } catch (error) {
    if (problemCodeOf(error) === 'password-required') yield put(passwordRequired());
    yield put(linkFailed(sentenceOf(error)));
  }
}

/** The person's account: password, login methods and sessions. */
export function* accountSaga(deps: Deps) {
  yield takeLatest(sessionsRequested.type, load, deps);
  yield takeEvery(sessionEndSubmitted, ({ payload }) => endSession(deps, payload));
  yield takeLeading(everySessionEndSubmitted.type, endAllSessions, deps);
  yield takeLeading(deletionSubmitted, ({ payload }) => deleteAccount(deps, payload));
  yield takeLeading(passwordSubmitted, ({ payload }) => changePassword(deps, payload));
  yield takeLeading(addressClaimed, ({ payload }) => claimAddress(deps, payload));
  // A page may have requested it before this saga started.
  const { state }: ReturnType<typeof selectSessionsRequest> = yield select(selectSessionsRequest);
  if (state === 'loading') yield call(load, deps);
}
