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
import { type Answers, problem, startApp } from './support/app.ts';
import { me } from './support/fixtures.ts';

const device = { browser: 'Firefox', system: 'Linux', since: '2026-05-03T18:30:00.000Z' };
const here = { ...device, id: '5f0c2c1e-6f0e-4c53-8c3c-0d4f3a1b2c3d', current: true };
const there = { ...device, id: '8a1d9b7e-2f4b-4a6d-9e58-7c6b5a4d3e2f', current: false };

const account = { email: '', hasPassword: true };

/** A member whose sessions have been loaded. */
async function member(answers: Answers) {
  const app = startApp({
    social: true,
    token: 'kept',
    answers: {
      'GET /auth/me': { body: me },
      'GET /auth/account': { body: account },
      'GET /auth/sessions': { body: [here, there] },
      ...answers,
    },
  });
  await app.until(() => app.socket.state.open === 1);
  app.store.dispatch(sessionsRequested());
  await app.until((state) => selectSessionsRequest(state).state === 'ready');
  return app;
}

test('a request before the code of its saga is loaded is handled afterwards', async () => {
  const answers = {
    'GET /auth/me': { body: me },
    'GET /auth/account': { body: account },
    'GET /auth/sessions': { body: [here] },
  };
  const { store, until } = startApp({ social: true, token: 'kept', answers });
  store.dispatch(sessionsRequested());
  await until((state) => selectSessions(state).length === 1);
});

test('ending a session removes it from the list, also if it had ended already', async () => {
  for (const answer of [{}, problem('session-not-found')]) {
    const { store, until, calls } = await member({ [`DELETE /auth/sessions/${there.id}`]: answer });
    store.dispatch(sessionEndSubmitted(there.id));
    await until((state) => selectSessions(state).length === 1);
    expect(selectSessions(store.getState())).toEqual([here]);
    expect(calls.at(-1)).toMatchObject({ call: `DELETE /auth/sessions/${there.id}`, token: 'kept' });
  }
});

test('a session that could not be ended stays in the list, with the reason', async () => {
  const { store, until } = await member({
    [`DELETE /auth/sessions/${there.id}`]: problem('service-unavailable'),
  });
  store.dispatch(sessionEndSubmitted(there.id));
  await until((state) => selectEnding(state).error !== null);
  expect(selectSessions(store.getState())).toEqual([here, there]);
});

test('logging out everywhere logs out here, too', async () => {
  const { store, until, tokens, visited } = await member({ 'DELETE /auth/sessions': {} });
  store.dispatch(everySessionEndSubmitted());
  await until((state) => state.auth.status === 'visitor');
  expect(tokens.read()).toBeNull();
  expect(visited).toEqual(['/login']);
});

test('requesting the deletion logs out here, and says until when it can be canceled', async () => {
  const wish = { currentPassword: 'the old one' };
  const right = await member({ 'POST /auth/deletion': { body: { deletesAt: '2026-12-07T09:30:00.000Z' } } });
  right.store.dispatch(deletionSubmitted(wish));
  await right.until((state) => state.auth.status === 'visitor');
  expect(right.tokens.read()).toBeNull();
  expect(right.visited).toEqual(['/login']);
  await right.until((state) => /December 7 2026/.test(state.notice.current?.text ?? ''));
  expect(right.calls).toContainEqual(expect.objectContaining({ call: 'POST /auth/deletion', body: wish }));

  const wrong = await member({ 'POST /auth/deletion': problem('invalid-credentials') });
  wrong.store.dispatch(deletionSubmitted(wish));
  await wrong.until((state) => selectDeletion(state).error !== null);
  expect(wrong.tokens.read()).toBe('kept');
  expect(wrong.store.getState().auth.status).toBe('member');
});

test('a new password continues with its token, a wrong one is reported', async () => {
  const change = { currentPassword: 'the old one', newPassword: 'the new one' };
  const right = await member({ 'PUT /auth/password': { body: { token: 'newer' } } });
  right.store.dispatch(passwordSubmitted(change));
  await right.until((state) => selectPasswordRequest(state).state === 'ready');
  expect(right.tokens.read()).toBe('newer');
  expect(right.store.getState().auth.user).toEqual(me);

  const wrong = await member({ 'PUT /auth/password': problem('invalid-credentials') });
  wrong.store.dispatch(passwordSubmitted(change));
  await wrong.until((state) => selectPasswordRequest(state).error !== null);
  expect(wrong.tokens.read()).toBe('kept');
  expect(wrong.store.getState().auth.status).toBe('member');
});

test('a link to confirm an address can be requested again, with the password if necessary', async () => {
  const body = { email: 'ann@wayquest.example' };
  const asked = await member({ 'PUT /auth/email': problem('password-required') });
  expect(selectAccount(asked.store.getState())).toEqual(account);
  asked.store.dispatch(addressClaimed(body));
  await asked.until((state) => selectPasswordNeeded(state));
  expect(selectLink(asked.store.getState()).error).toMatch(/^Please confirm your password/);

  const sent = await member({ 'PUT /auth/email': {} });
  sent.store.dispatch(addressClaimed({ ...body, currentPassword: 'the old one' }));
  await sent.until((state) => selectLink(state).state === 'ready');
  expect(sent.calls.at(-1)).toMatchObject({
    call: 'PUT /auth/email',
    body: { ...body, currentPassword: 'the old one' },
  });
});
