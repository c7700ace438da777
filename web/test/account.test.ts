import {
  addressClaimed,
  deletionSubmitted,
  everySessionEndSubmitted,
  passwordSubmitted,
  selectAccount,
  selectDeletion,
  selectEnding,
  selectLink,
  selectPasswordNeeded,
  selectPasswordRequest,
  selectSessions,
  selectSessionsRequest,
  sessionEndSubmitted,
  sessionsRequested,
} from '../src/features/account/slice.ts';
import { problem, type StubResponses, startApp } from './support/app.ts';
import { me } from './support/fixtures.ts';

const device = { browser: 'Firefox', system: 'Linux', since: '2026-05-03T18:30:00.000Z' };
const currentSession = { ...device, id: '5f0c2c1e-6f0e-4c53-8c3c-0d4f3a1b2c3d', current: true };
const otherSession = { ...device, id: '8a1d9b7e-2f4b-4a6d-9e58-7c6b5a4d3e2f', current: false };

const account = { email: '', hasPassword: true };

/** Starts the app of a logged-in user whose sessions are loaded. */
async function member(responses: StubResponses) {
  const app = startApp({
    social: true,
    token: 'kept',
    responses: {
      'GET /auth/me': { body: me },
      'GET /auth/account': { body: account },
      'GET /auth/sessions': { body: [currentSession, otherSession] },
      ...responses,
    },
  });
  await app.until(() => app.socket.state.open === 1);
  app.store.dispatch(sessionsRequested());
  await app.until((state) => selectSessionsRequest(state).state === 'ready');
  return app;
}

test('an action dispatched before the code of its saga is loaded is handled once it is loaded', async () => {
  const responses = {
    'GET /auth/me': { body: me },
    'GET /auth/account': { body: account },
    'GET /auth/sessions': { body: [currentSession] },
  };
  const { store, until } = startApp({ social: true, token: 'kept', responses });
  store.dispatch(sessionsRequested());
  await until((state) => selectSessions(state).length === 1);
});

test('ending a session removes it from the list, also if it had ended already', async () => {
  for (const response of [{}, problem('session-not-found')]) {
    const { store, until, calls } = await member({ [`DELETE /auth/sessions/${otherSession.id}`]: response });
    store.dispatch(sessionEndSubmitted(otherSession.id));
    await until((state) => selectSessions(state).length === 1);
    expect(selectSessions(store.getState())).toEqual([currentSession]);
    expect(calls.at(-1)).toMatchObject({ call: `DELETE /auth/sessions/${otherSession.id}`, token: 'kept' });
  }
});

test('a session that could not be ended stays in the list, with the reason', async () => {
  const { store, until } = await member({
    [`DELETE /auth/sessions/${otherSession.id}`]: problem('service-unavailable'),
  });
  store.dispatch(sessionEndSubmitted(otherSession.id));
  await until((state) => selectEnding(state).error !== null);
  expect(selectSessions(store.getState())).toEqual([currentSession, otherSession]);
});

test('logging out of all sessions also ends the current one', async () => {
  const { store, until, tokens, visited } = await member({ 'DELETE /auth/sessions': {} });
  store.dispatch(everySessionEndSubmitted());
  await until((state) => state.auth.status === 'visitor');
  expect(tokens.read()).toBeNull();
  expect(visited).toEqual(['/login']);
});

test('requesting the deletion of the account logs out and shows the deletion date; a wrong password changes nothing', async () => {
  const body = { currentPassword: 'the old one' };
  const accepted = await member({
    'POST /auth/deletion': { body: { deletesAt: '2026-12-07T09:30:00.000Z' } },
  });
  accepted.store.dispatch(deletionSubmitted(body));
  await accepted.until((state) => state.auth.status === 'visitor');
  expect(accepted.tokens.read()).toBeNull();
  expect(accepted.visited).toEqual(['/login']);
  await accepted.until((state) => /December 7/.test(state.notice.current?.text ?? ''));
  expect(accepted.calls).toContainEqual(expect.objectContaining({ call: 'POST /auth/deletion', body }));

  const rejected = await member({ 'POST /auth/deletion': problem('invalid-credentials') });
  rejected.store.dispatch(deletionSubmitted(body));
  await rejected.until((state) => selectDeletion(state).error !== null);
  expect(rejected.tokens.read()).toBe('kept');
  expect(rejected.store.getState().auth.status).toBe('member');
});

test('changing the password stores the new token; a wrong current password is reported and keeps the old token', async () => {
  const change = { currentPassword: 'the old one', newPassword: 'the new one' };
  const accepted = await member({ 'PUT /auth/password': { body: { token: 'newer' } } });
  accepted.store.dispatch(passwordSubmitted(change));
  await accepted.until((state) => selectPasswordRequest(state).state === 'ready');
  expect(accepted.tokens.read()).toBe('newer');
  expect(accepted.store.getState().auth.user).toEqual(me);

  const rejected = await member({ 'PUT /auth/password': problem('invalid-credentials') });
  rejected.store.dispatch(passwordSubmitted(change));
  await rejected.until((state) => selectPasswordRequest(state).error !== null);
  expect(rejected.tokens.read()).toBe('kept');
  expect(rejected.store.getState().auth.status).toBe('member');
});

test('a confirmation link can be requested again; the password is requested if the server requires it', async () => {
  const body = { email: 'ann@wayquest.example' };
  const known = { 'GET /auth/me': { body: { ...me, ...body } } };
  const withoutPassword = await member({ ...known, 'PUT /auth/email': problem('password-required') });
  expect(selectAccount(withoutPassword.store.getState())).toEqual(account);
  withoutPassword.store.dispatch(addressClaimed(body));
  await withoutPassword.until((state) => selectPasswordNeeded(state));
  expect(selectLink(withoutPassword.store.getState()).error).toMatch(/^Please confirm your password/);

  const withPassword = await member({ ...known, 'PUT /auth/email': {} });
  withPassword.store.dispatch(addressClaimed({ ...body, currentPassword: 'the old one' }));
  await withPassword.until((state) => selectLink(state).state === 'ready');
  expect(withPassword.calls.at(-1)).toMatchObject({
    call: 'PUT /auth/email',
    body: { ...body, currentPassword: 'the old one' },
  });
});
