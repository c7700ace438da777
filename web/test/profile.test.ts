import { errorCleared, loggedOut } from '../src/entities/auth/slice.ts';
import { pointsCollected } from '../src/entities/challenge-lines/slice.ts';
import { profileSubmitted, selectCelebration, selectSaving } from '../src/features/profile/slice.ts';
import { problem, startApp } from './support/app.ts';
import { line, me } from './support/fixtures.ts';

const meAnswer = { 'GET /auth/me': { body: me } };

test('saving the profile replaces the user', async () => {
  const { store, calls, until, socket } = startApp({
    social: true,
    token: 'kept',
    answers: { ...meAnswer, 'PUT /auth/me': { body: { ...me, city: 'Astoria' } } },
  });
  await until(() => socket.state.open === 1);
  store.dispatch(profileSubmitted({ city: 'Astoria' }));
  await until((state) => state.auth.user?.city === 'Astoria');
  expect(calls.find(({ call }) => call.startsWith('PUT'))).toMatchObject({
    call: 'PUT /auth/me',
    body: { city: 'Astoria' },
  });
});

test('what cannot be saved is told by the profile, and is no matter of the session', async () => {
  const { store, until, socket } = startApp({
    token: 'kept',
    social: true,
    answers: { ...meAnswer, 'PUT /auth/me': problem('username-taken') },
  });
  await until(() => socket.state.open === 1);
  store.dispatch(profileSubmitted({ username: 'theo' }));
  expect(selectSaving(store.getState()).state).toBe('loading');
  await until((state) => selectSaving(state).error !== null);
  store.dispatch(errorCleared());
  expect(selectSaving(store.getState())).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/./),
  });
  expect(store.getState().auth).toMatchObject({ user: me, status: 'member' });
});

test('what was earned waits for the profile, and goes with the person', () => {
  const { store } = startApp();
  store.dispatch(pointsCollected({ line, from: 40, to: 50 }));
  expect(selectCelebration(store.getState())).toEqual({ line, from: 40, to: 50 });
  store.dispatch(loggedOut());
  expect(selectCelebration(store.getState())).toBeNull();
});
