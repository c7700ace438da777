import type { Client, CredentialAssertion } from '@wayquest/contracts';
import { eventChannel } from 'redux-saga';
import {
  call,
  delay,
  put,
  race,
  select,
  spawn,
  take,
  takeEvery,
  takeLatest,
  takeLeading,
} from 'redux-saga/effects';
import { problemCodeOf, sentenceOf } from '../../shared/lib/errors.ts';
import { loadPart } from '../../shared/lib/load-part.ts';
import { tellPasswordManagers } from '../../shared/lib/tell-password-managers.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request, requestSaga, resourcesCleared, sessionEnded } from '../../shared/saga/request.ts';
import {
  addressSubmitted,
  authFailed,
  choiceSubmitted,
  isSessionEnd,
  linkSubmitted,
  loggedOut,
  loginCodeReceived,
  loginSubmitted,
  logoutRequested,
  mailStepDone,
  mailStepFailed,
  passkeyPresented,
  selectUser,
  sessionRequestFailed,
  sessionResumed,
  sessionRetryRequested,
  signupSubmitted,
  tokenReceived,
  userReceived,
} from './slice.ts';

/** Back-off between attempts to load the session, doubled each time, in seconds. */
const minBackoffSeconds = 2;
const maxPause = 60;

/** Loads the stored token's owner, with retries: also after a navigation, or when the network is back. */
function* findUser(deps: Deps) {
  for (let pause = minBackoffSeconds; ; pause = Math.min(pause * 2, maxPause)) {
    let retryAfter: string | null = null;
    const onHeaders = (headers: Headers) => {
      retryAfter = headers.get('retry-after');
    };
    try {
      yield put(userReceived(yield* request(deps, (api) => api.getMe({}, { onHeaders }))));
      return;
    } catch (error) {
      yield put(sessionRequestFailed(sentenceOf(error)));
    }
    // A `retry-after` of the server takes precedence.
    const seconds = Number(retryAfter);
    if (seconds > 0) yield delay(seconds * 1000);
    else yield race([delay(pause * 1000), take(sessionRetryRequested)]);
  }
}

/** Ends with the response, or if a session begins or ends otherwise. */
function* resume(deps: Deps) {
  if (deps.tokens.read()) yield race([call(findUser, deps), take(userReceived), take(isSessionEnd)]);
  else yield put(loggedOut());
}

/** Shows that the login canceled the account's deletion; its words are loaded then. */
function* showAccountKept() {
  const words: typeof import('./translations.ts') = yield call(
    loadPart,
    () => import('./translations.ts'),
    true,
  );
  yield put(noticed({ text: words.translate('accountKept'), tone: 'good' }));
}

function* startSession(
  deps: Deps,
  logIn: (client: Client) => ReturnType<Client['login']>,
  appealAt = '/appeal',
) {
  try {
    const { token, deletionCanceled } = yield* request(deps, logIn);
    deps.tokens.write(token);
    if (deletionCanceled) yield spawn(showAccountKept);
    yield put(tokenReceived());
  } catch (error) {
    yield put(authFailed(sentenceOf(error)));
    const code = problemCodeOf(error);
    if (code === 'suspended') deps.navigator.go(appealAt);
    if (code === 'account-waiting') deps.navigator.go('/signup#waiting');
  }
}

/** Where a suspended person appeals without a password: the login stored a proof in a cookie. */
const appealPath = '/appeal#proven';

// An old token would be rejected before the new session begins.
const withoutToken = { token: null };

function* logIn(deps: Deps, { payload }: ReturnType<typeof loginSubmitted>) {
  yield* startSession(deps, (api) => api.login({ body: payload }, withoutToken));
}

async function logInWithPasskey(api: Client, credential: CredentialAssertion) {
  try {
    return await api.loginWithPasskey({ body: { credential } }, withoutToken);
  } catch (error) {
    if (problemCodeOf(error) === 'unknown-passkey')
      void tellPasswordManagers(({ signalUnknownPasskey }) => signalUnknownPasskey(credential.id));
    throw error;
  }
}

function* signUp(deps: Deps, { payload }: ReturnType<typeof signupSubmitted>) {
  yield* startSession(deps, (api) => api.signup({ body: payload }, withoutToken));
}

function* exchangeLoginCode(deps: Deps, { payload }: ReturnType<typeof loginCodeReceived>) {
  const { code } = payload;
  yield* startSession(deps, (api) => api.exchangeLoginCode({ body: { code } }, withoutToken), appealPath);
}

/** A step of account recovery by mail. */
function* runRecoveryStep(deps: Deps, step: (client: Client) => Promise<void>) {
  yield* requestSaga(deps, step, mailStepDone, mailStepFailed);
}

function* logOut(deps: Deps) {
  const token = deps.tokens.read();
  const user: ReturnType<typeof selectUser> = yield select(selectUser);
  // Others may use this browser. The person was asked first, if something was not sent yet.
  if (user) deps.unsentItems.clear(user.id);
  deps.tokens.clear();
  deps.formDrafts.clear();
  yield put(loggedOut());
  deps.navigator.go('/login');
  try {
    yield call(async () => (await deps.api()).logout({}, { token }));
  } catch {
    // The person is logged out here in any case; the token expires by itself.
  }
}

function* endSession({ tokens }: Deps, { payload }: ReturnType<typeof sessionEnded>) {
  tokens.clear();
  yield put(noticed({ text: payload, tone: 'bad' }));
}

function* followOtherTabs(_deps: Deps, token: { current: string | null }) {
  if (token.current) yield put(sessionResumed());
  else yield put(loggedOut());
}

/** Sessions: resumed at the start, opened by a form or at another site, ended here, in another tab or by the server. */
export function* authSaga(deps: Deps) {
  // Before the next session begins: what the previous one loaded is not for the next person.
  yield takeEvery([sessionResumed, tokenReceived, loggedOut, sessionEnded], function* clearResources() {
    yield put(resourcesCleared());
  });
  yield takeLatest([sessionResumed.type, tokenReceived.type], resume, deps);
  yield takeLeading(loginSubmitted, logIn, deps);
  yield takeLeading(signupSubmitted, signUp, deps);
  yield takeLeading(loginCodeReceived, exchangeLoginCode, deps);
  yield takeLeading(passkeyPresented, ({ payload: credential }) =>
    startSession(deps, (api) => logInWithPasskey(api, credential), appealPath),
  );
  yield takeLeading(linkSubmitted, ({ payload: email }) =>
    runRecoveryStep(deps, (api) => api.forgotPassword({ body: { email } })),
  );
  yield takeLeading(choiceSubmitted, ({ payload: body }) =>
    runRecoveryStep(deps, (api) => api.resetPassword({ body })),
  );
  yield takeLeading(addressSubmitted, ({ payload: token }) =>
    runRecoveryStep(deps, (api) => api.confirmEmail({ body: { token } })),
  );
  yield takeLeading(logoutRequested.type, logOut, deps);
  yield takeEvery(sessionEnded, endSession, deps);
  yield takeEvery(userReceived, ({ payload }) => deps.formDrafts.keepOnly(payload.id));
  const otherTabs = eventChannel<{ current: string | null }>((emit) =>
    deps.tokens.watch((current) => emit({ current })),
  );
  yield takeEvery(otherTabs, followOtherTabs, deps);
  yield put(sessionResumed());
}
