import { linesOf } from '../src/entities/challenge-lines/slice.ts';
import { selectChallenges, selectCreating } from '../src/entities/challenges/selectors.ts';
import {
  challengeRequested,
  challengeSubmitted,
  challengesReceived,
  challengesRequested,
  deleteRequested,
} from '../src/entities/challenges/slice.ts';
import { emptyForm, isComplete } from '../src/features/challenges/form.ts';
import { problem, startApp } from './support/app.ts';
import { challenge, line } from './support/fixtures.ts';

const filled = {
  ...emptyForm,
  name: 'Count the bridges',
  points: '10',
  locationName: 'Kissena Park',
  streetAddress: '1 Oak Avenue',
  city: 'Flushing',
  state: 'NY',
  difficulty: 'Easy',
};

test('all challenges are asked for, also by members', async () => {
  const { store, until } = startApp({
    answers: { 'GET /api/challenges/?scope=all&limit=500': { body: [challenge] } },
  });
  store.dispatch(challengesRequested());
  await until((state) => state.challenges.list.state === 'ready');
  expect(selectChallenges(store.getState())).toEqual([challenge]);
});

test('a list that does not come says what to do, and comes when asked again', async () => {
  const answers = { 'GET /api/challenges/?scope=all&limit=500': problem('service-unavailable') };
  const { store, until } = startApp({ answers });
  store.dispatch(challengesRequested());
  await until((state) => state.challenges.list.state === 'failed');
  expect(store.getState().challenges.list.error).toContain('try again');
  Object.assign(answers, { 'GET /api/challenges/?scope=all&limit=500': { body: [] } });
  store.dispatch(challengesRequested());
  await until((state) => state.challenges.list.state === 'ready');
});

test('without any answer the sentence speaks of the connection', async () => {
  const { store, until } = startApp();
  store.dispatch(challengeRequested(3));
  await until((state) => state.challenges.one.state === 'failed');
  expect(store.getState().challenges.one.error).toContain('out of reach');
});

test('a new challenge is appended, and its line posted at once', async () => {
  const { store, calls, until } = startApp({
    answers: {
      'POST /api/challenges/': { status: 201, body: challenge },
      'POST /api/challengeLine/': { status: 201, body: line },
    },
  });
  const older = { ...challenge, id: 1 };
  store.dispatch(challengesReceived([older]));
  store.dispatch(challengeSubmitted(filled));
  await until((state) => linesOf(state.challengeLines).length > 0);
  expect(selectChallenges(store.getState())).toEqual([older, challenge]);
  expect(calls.map(({ call }) => call)).toEqual(['POST /api/challenges/', 'POST /api/challengeLine/']);
  expect(calls.map(({ body }) => body)).toEqual([filled, { challengeId: challenge.id }]);
});

test('a challenge that was made stays made when its line fails', async () => {
  const { store, until } = startApp({
    answers: {
      'POST /api/challenges/': { status: 201, body: challenge },
      'POST /api/challengeLine/': problem('service-unavailable'),
    },
  });
  store.dispatch(challengeSubmitted(filled));
  await until((state) => state.notice.current !== null);
  expect(selectCreating(store.getState())).toBe('ready');
  expect(selectChallenges(store.getState())).toEqual([challenge]);
  expect(store.getState().notice.current?.text).toContain('Open it to join');
});

test('deleting removes the lines first, then the challenge, and goes to /challenges/', async () => {
  const { store, calls, visited, until } = startApp({
    answers: {
      'GET /api/challengeLine/?challengeId=3': { body: [line, { ...line, id: 22 }] },
      'DELETE /api/challengeLine/21': {},
      'DELETE /api/challengeLine/22': problem('line-not-found'),
      'DELETE /api/challenges/3': {},
    },
  });
  store.dispatch(challengesReceived([challenge]));
  store.dispatch(deleteRequested(3));
  await until((state) => selectChallenges(state).length === 0);
  expect(calls.map(({ call }) => call)).toEqual([
    'GET /api/challengeLine/?challengeId=3',
    'DELETE /api/challengeLine/21',
    'DELETE /api/challengeLine/22',
    'DELETE /api/challenges/3',
  ]);
  expect(visited).toEqual(['/challenges/']);
});

test('the form may be sent once exactly the needed fields are filled', () => {
  expect(isComplete(emptyForm)).toBe(false);
  expect(isComplete(filled)).toBe(true);
  for (const field of ['name', 'points', 'locationName', 'streetAddress', 'city', 'state', 'difficulty']) {
    expect(isComplete({ ...filled, [field]: ' ' })).toBe(false);
  }
});
