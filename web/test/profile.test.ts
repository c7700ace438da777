import { errorCleared, loggedOut } from '../src/entities/auth/slice.ts';
import { pointsCollected } from '../src/entities/participations/slice.ts';
import {
  pictureChosen,
  profileSubmitted,
  selectCelebration,
  selectPicture,
  selectSaving,
} from '../src/features/profile/slice.ts';
import { problem, startApp } from './support/app.ts';
import { me, participation } from './support/fixtures.ts';

const meResponse = { 'GET /auth/me': { body: me } };

test('saving the profile replaces the user', async () => {
  const { store, calls, until, socket } = startApp({
    social: true,
    token: 'kept',
    responses: { ...meResponse, 'PUT /auth/me': { body: { ...me, city: 'Astoria' } } },
  });
  await until(() => socket.state.open === 1);
  store.dispatch(profileSubmitted({ city: 'Astoria' }));
  await until((state) => state.auth.user?.city === 'Astoria');
  expect(calls.find(({ call }) => call.startsWith('PUT'))).toMatchObject({
    call: 'PUT /auth/me',
    body: { city: 'Astoria' },
  });
});

test('a failed save is reported in the profile form, and does not end the session', async () => {
  const { store, until, socket } = startApp({
    token: 'kept',
    social: true,
    responses: { ...meResponse, 'PUT /auth/me': problem('username-taken') },
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

test('a celebration of earned points is stored for the profile, and deleted at logout', () => {
  const { store } = startApp();
  const collected = {
    participation: participation,
    from: 40,
    to: 50,
    award: { challengeId: participation.challengeId, points: 10 },
  };
  store.dispatch(pointsCollected(collected));
  expect(selectCelebration(store.getState())).toEqual(collected);
  store.dispatch(loggedOut());
  expect(selectCelebration(store.getState())).toBeNull();
});

test.each([
  ['in a format that few browsers support', new File(['x'], 'me.heic', { type: 'image/heic' })],
  [
    'that is too large to be sent unchanged',
    new File([Buffer.alloc(1_100_000)], 'me.jpg', { type: 'image/jpeg' }),
  ],
])('a photo %s is rejected without a request if the browser cannot scale it down', async (_what, file) => {
  const { store, calls, until, socket } = startApp({ social: true, token: 'kept', responses: meResponse });
  await until(() => socket.state.open === 1);
  store.dispatch(pictureChosen(file));
  await until((state) => selectPicture(state).error !== null);
  expect(selectPicture(store.getState()).error).toMatch("This browser can't read that picture.");
  expect(calls.filter(({ call }) => !call.startsWith('GET'))).toEqual([]);
});
