import {
  addressSubmitted,
  loginCodeReceived,
  loginSubmitted,
  logoutRequested,
  mailPageOpened,
  passkeyPresented,
  selectMailStep,
  sessionRetryRequested,
  signupSubmitted,
} from '../src/entities/auth/slice.ts';
import { participationsOf, participationsReceived } from '../src/entities/participations/slice.ts';
import { rankingRequested } from '../src/features/leaderboard/slice.ts';
import { problem, type StubResponse, startApp } from './support/app.ts';
import { fakeTimers, timeouts } from './support/fake-timers.ts';
import { me, participation } from './support/fixtures.ts';

const credentials = { username: 'maya', password: 'password-1234' };
const meResponse = { 'GET /auth/me': { body: me } };

test('without a token the user is a visitor, and nothing is requested', () => {
  const { store, calls } = startApp();
  expect(store.getState().auth.status).toBe('visitor');
  expect(calls).toEqual([]);
});

test('a stored token is sent unchanged, and resumes the session', async () => {
  const { store, calls, until } = startApp({ token: 'kept', responses: meResponse });
  await until((state) => state.auth.status === 'member');
  expect(store.getState().auth.user).toEqual(me);
  expect(calls).toEqual([{ call: 'GET /auth/me', body: undefined, token: 'kept' }]);
});

test('resuming a session on the page of a mail link does not use the link; submitting it does', async () => {
  const { store, until } = startApp({
    token: 'kept',
    responses: { ...meResponse, 'POST /auth/email/confirm': {} },
  });
  store.dispatch(mailPageOpened());
  await until((state) => state.auth.status === 'member');
  expect(selectMailStep(store.getState()).state).toBe('idle');
  store.dispatch(addressSubmitted('the-token'));
  await until((state) => selectMailStep(state).state === 'ready');
});

test('a stored token is kept, and the error shown, while the service is unavailable', async () => {
  const { store, tokens, until } = startApp({
    token: 'kept',
    responses: { 'GET /auth/me': problem('service-unavailable') },
  });
  await until((state) => state.auth.status === 'failed');
  expect(store.getState().auth.request.error).toContain('temporarily unavailable');
  expect(tokens.read()).toBe('kept');
});

/** Responses of GET /auth/me: first the failures, then the user. */
function meAfter(...failures: StubResponse[]) {
  const remaining = [...failures];
  return { 'GET /auth/me': () => remaining.shift() ?? { body: me } };
}

describe('a session that cannot be loaded', () => {
  beforeEach(() => void fakeTimers(timeouts));
  afterEach(() => void jest.useRealTimers());

  test('is retried automatically, with growing pauses', async () => {
    const { calls, until } = startApp({
      token: 'kept',
      responses: meAfter({ status: 500 }, { status: 500 }),
    });
    await until((state) => state.auth.status === 'failed');
    await jest.advanceTimersByTimeAsync(1_999);
    expect(calls).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    await jest.advanceTimersByTimeAsync(3_999);
    expect(calls).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1);
    await until((state) => state.auth.status === 'member');
    await jest.advanceTimersByTimeAsync(600_000);
    expect(calls).toHaveLength(3);
  });

  test('is retried immediately when the user continues', async () => {
    const { store, calls, until } = startApp({ token: 'kept', responses: meAfter({ status: 500 }) });
    await until((state) => state.auth.status === 'failed');
    await jest.advanceTimersByTimeAsync(0);
    store.dispatch(sessionRetryRequested());
    await until((state) => state.auth.status === 'member');
    expect(calls).toHaveLength(2);
  });

  test('is not retried before the server’s retry-after', async () => {
    const tooMany = { ...problem('too-many-requests'), headers: { 'retry-after': '30' } };
    const { store, calls, until } = startApp({ token: 'kept', responses: meAfter(tooMany) });
    await until((state) => state.auth.status === 'failed');
    await jest.advanceTimersByTimeAsync(29_999);
    store.dispatch(sessionRetryRequested());
    await jest.advanceTimersByTimeAsync(0);
    expect(calls).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    await until((state) => state.auth.status === 'member');
  });

  test('ends without further retries if the token is invalid', async () => {
    const { calls, tokens, until } = startApp({
      token: 'old',
      responses: meAfter({ status: 500 }, problem('invalid-token')),
    });
    await until((state) => state.auth.status === 'failed');
    await jest.advanceTimersByTimeAsync(2_000);
    await until((state) => state.auth.status === 'visitor');
    await jest.advanceTimersByTimeAsync(600_000);
    expect(calls).toHaveLength(2);
    expect(tokens.read()).toBeNull();
  });

  test('after a new login is retried, and keeps the user logged in', async () => {
    const { store, until } = startApp({
      responses: { ...meAfter({ status: 500 }), 'POST /auth/login': { body: { token: 'fresh' } } },
    });
    store.dispatch(loginSubmitted(credentials));
    await until((state) => state.auth.status === 'failed');
    await jest.advanceTimersByTimeAsync(2_000);
    await until((state) => state.auth.status === 'member');
  });
});

test('login stores the token and loads the user', async () => {
  const { store, calls, tokens, until } = startApp({
    responses: { ...meResponse, 'POST /auth/login': { body: { token: 'fresh' } } },
  });
  store.dispatch(loginSubmitted(credentials));
  await until((state) => state.auth.status === 'member');
  expect(tokens.read()).toBe('fresh');
  expect(calls).toEqual([
    { call: 'POST /auth/login', body: credentials, token: null },
    { call: 'GET /auth/me', body: undefined, token: 'fresh' },
  ]);
});

test('a failed signup shows the response text', async () => {
  const { store, tokens, until } = startApp({
    responses: { 'POST /auth/signup': { status: 409, text: 'That username is taken' } },
  });
  store.dispatch(signupSubmitted(credentials));
  await until((state) => state.auth.request.error !== null);
  expect(store.getState().auth).toMatchObject({
    status: 'visitor',
    request: { state: 'failed', error: 'That username is taken' },
  });
  expect(tokens.read()).toBeNull();
});

test('a signup that a proxy answers shows a general message instead of the proxy’s page', async () => {
  const { store, until } = startApp({
    responses: {
      'POST /auth/signup': {
        ...{ status: 502, text: '<h1>Bad Gateway</h1>', headers: { 'content-type': 'text/html' } },
      },
    },
  });
  store.dispatch(signupSubmitted(credentials));
  await until((state) => state.auth.request.error !== null);
  expect(store.getState().auth.request.error).toBe('Wayquest is temporarily unavailable. Please try again.');
});

test.each([true, false])('the code of a Google sign-in starts a session (new: %s)', async (isNew) => {
  const { store, calls, until } = startApp({
    responses: { ...meResponse, 'POST /auth/code': { body: { token: 'from-google' } } },
  });
  store.dispatch(loginCodeReceived({ code: 'once', isNew }));
  await until((state) => state.auth.status === 'member');
  expect(calls[0]?.body).toEqual({ code: 'once' });
  expect(store.getState().auth.isNew).toBe(isNew);
});

const assertion = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'MQ' };
const credential = { id: 'key', rawId: 'key', type: 'public-key' as const, response: assertion };

test('a passkey from the browser starts a session', async () => {
  const { store, calls, tokens, until } = startApp({
    responses: { ...meResponse, 'POST /auth/passkeys/login': { body: { token: 'by-passkey' } } },
  });
  store.dispatch(passkeyPresented(credential));
  await until((state) => state.auth.status === 'member');
  expect(calls[0]).toEqual({ call: 'POST /auth/passkeys/login', body: { credential }, token: null });
  expect(tokens.read()).toBe('by-passkey');
  expect(store.getState().auth.isNew).toBe(false);
});

test.each([
  ['a password', 'POST /auth/login', loginSubmitted(credentials), '/appeal'],
  ['a passkey', 'POST /auth/passkeys/login', passkeyPresented(credential), '/appeal#proven'],
  ['Google', 'POST /auth/code', loginCodeReceived({ code: 'once', isNew: false }), '/appeal#proven'],
])('a suspended user is shown how to appeal after %s', async (_, call, login, path) => {
  const { store, visited, until } = startApp({ responses: { [call]: problem('suspended') } });
  store.dispatch(login);
  await until((state) => state.auth.request.error !== null);
  expect(visited).toEqual([path]);
});

test('logout deletes the token and the user’s data, and goes to /login', async () => {
  const { store, calls, tokens, visited, until } = startApp({
    token: 'kept',
    responses: { ...meResponse, 'POST /auth/logout': {} },
  });
  await until((state) => state.auth.status === 'member');
  store.dispatch(participationsReceived([participation]));
  store.dispatch(logoutRequested());
  await until((state) => state.auth.status === 'visitor');
  expect(tokens.read()).toBeNull();
  expect(store.getState().auth.user).toBeNull();
  expect(participationsOf(store.getState().challengeLines)).toEqual([]);
  expect(visited).toEqual(['/login']);
  await new Promise(setImmediate);
  expect(calls.at(-1)).toMatchObject({ call: 'POST /auth/logout', token: 'kept' });
});

test('a call whose token the server rejects ends the session with a notice', async () => {
  const { store, tokens, until } = startApp({
    token: 'old',
    responses: { ...meResponse, 'GET /api/leaderboard?page=1&scope=all': problem('invalid-token') },
  });
  await until((state) => state.auth.status === 'member');
  store.dispatch(rankingRequested({ page: 1, scope: 'all', period: 'all' }));
  await until((state) => state.auth.status === 'visitor');
  expect(tokens.read()).toBeNull();
  expect(store.getState().notice.current).toEqual({
    text: 'Your session has ended. Please log in again.',
    tone: 'bad',
  });
});

test('a logout and a login in another tab also apply to this tab', async () => {
  const { changeInAnotherTab, until } = startApp({ token: 'kept', responses: meResponse });
  await until((state) => state.auth.status === 'member');
  changeInAnotherTab(null);
  await until((state) => state.auth.status === 'visitor');
  changeInAnotherTab('other');
  await until((state) => state.auth.status === 'member');
});
