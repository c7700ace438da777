import { logoutRequested, userReceived } from '../src/entities/auth/slice.ts';
import { challengesReceived, selectChallenge } from '../src/entities/challenges/slice.ts';
import {
  completeRequested,
  completionDiscarded,
  completionRetried,
  joinRequested,
  leaveRequested,
  participantsRequested,
  participationAdded,
  participationsOf,
  participationsReceived,
  selectActionError,
  selectOwnParticipation,
  selectParticipantsState,
  selectPendingAction,
  selectPendingCompletions,
  selectRefusedCompletions,
  selectUncompleted,
} from '../src/entities/participations/slice.ts';
import { connected } from '../src/entities/realtime/events.ts';
import { selectCelebration } from '../src/features/profile/slice.ts';
import { problem, startApp } from './support/app.ts';
import { fakeTimers } from './support/fake-timers.ts';
import { challenge, me, participation } from './support/fixtures.ts';

const otherParticipation = {
  ...participation,
  id: 22,
  challengeId: 4,
  challenge: { ...participation.challenge, id: 4 },
};
const completed = { ...participation, completed: true, completedAt: '2026-05-03T12:00:00.000Z' };

test('joining appends the participation to the existing ones', async () => {
  const { store, calls, until } = startApp({
    responses: { 'POST /api/challengeLine/': { status: 201, body: participation } },
  });
  store.dispatch(participationsReceived([otherParticipation]));
  store.dispatch(joinRequested(participation.challengeId));
  await until((state) => selectPendingAction(state) === null);
  expect(participationsOf(store.getState().challengeLines)).toEqual([otherParticipation, participation]);
  expect(selectOwnParticipation(store.getState(), participation.challengeId)).toEqual(participation);
  expect(calls[0]?.body).toEqual({ challengeId: participation.challengeId });
  expect(store.getState().notice.current?.text).toBe("You're in. Go whenever you like.");
});

test('a participation received twice is stored once', () => {
  const { store } = startApp();
  store.dispatch(participationAdded(participation));
  store.dispatch(participationAdded(participation));
  expect(participationsOf(store.getState().challengeLines)).toHaveLength(1);
});

test('leaving removes only the participation with that id', async () => {
  const { store, until } = startApp({ responses: { [`DELETE /api/challengeLine/${participation.id}`]: {} } });
  store.dispatch(participationsReceived([participation, otherParticipation]));
  store.dispatch(leaveRequested(participation));
  await until((state) => selectPendingAction(state) === null);
  expect(participationsOf(store.getState().challengeLines)).toEqual([otherParticipation]);
});

test('joining and leaving update the participant count immediately, and joining twice counts once', async () => {
  const { store, until } = startApp({
    responses: {
      'POST /api/challengeLine/': { status: 201, body: participation },
      [`DELETE /api/challengeLine/${participation.id}`]: {},
    },
  });
  const id = participation.challengeId;
  const participants = () => selectChallenge(store.getState(), id)?.participants;
  const join = async () => {
    store.dispatch(joinRequested(id));
    await until((state) => selectPendingAction(state) === null && state.notice.current !== null);
  };
  store.dispatch(
    challengesReceived({ challenges: [{ ...challenge, id, participants: 1 }], next: null, total: null }),
  );
  await join();
  await until(() => participants() === 2);
  await join();
  expect(participants()).toBe(2);
  store.dispatch(leaveRequested(participation));
  await until(() => participants() === 1);
});

test('completing updates the participation, then loads the points, then goes to the profile', async () => {
  const { store, calls, visited, until } = startApp({
    responses: {
      [`PUT /api/challengeLine/${participation.id}`]: { body: completed },
      'PUT /api/points/': {
        body: { ...me, points: 50, award: { challengeId: participation.challengeId, points: 10 } },
      },
    },
  });
  store.dispatch(participationsReceived([participation, otherParticipation]));
  store.dispatch(completeRequested({ participation: participation, checkIn: 'no' }));
  await until(() => visited.length > 0);
  expect(calls.map(({ call }) => call)).toEqual([
    `PUT /api/challengeLine/${participation.id}`,
    'PUT /api/points/',
  ]);
  expect(calls.map(({ body }) => body)).toEqual([
    { completed: true, secondsAgo: 0 },
    participation.challenge,
  ]);
  expect(store.getState().auth.user?.points).toBe(50);
  expect(selectCelebration(store.getState())).toMatchObject({ from: 40, to: 50 });
  expect(selectUncompleted(store.getState())).toEqual([otherParticipation]);
  expect(visited).toEqual(['/profile/']);
});

const position = { lat: 40.75, lng: -73.82, accuracy: 8 };

test.each([
  ['near the place', position, true, undefined],
  ['far from the place', position, false, 'far'],
  ['that is not found', 'not-found', false, 'not-found'],
  ['that the browser does not tell', 'denied', false, 'denied'],
] as const)(
  'checking in with a position %s sends it with the completion, and shows the result',
  async (_, position, checkedIn, failedCheckIn) => {
    const { store, calls, visited, until } = startApp({
      position,
      responses: {
        [`PUT /api/challengeLine/${participation.id}`]: { body: { ...completed, checkedIn } },
        'PUT /api/points/': {
          body: { ...me, points: 50, award: { challengeId: participation.challengeId, points: 10 } },
        },
      },
    });
    store.dispatch(completeRequested({ participation: participation, checkIn: 'chosen' }));
    await until(() => visited.length > 0);
    const sent = typeof position === 'object' && { position: { ...position, secondsAgo: 0 } };
    expect(calls[0]?.body).toEqual({ completed: true, secondsAgo: 0, ...sent });
    expect(selectCelebration(store.getState())).toMatchObject({
      participation: { checkedIn },
      failedCheckIn,
    });
    expect(JSON.stringify(store.getState())).not.toContain('40.75');
  },
);

test.each([
  ['denied', /requires a check-in\. Allow/],
  ['not-found', /couldn't find its location/],
] as const)(
  'a required check-in is not sent if the position is %s, and the error says why',
  async (position, sentence) => {
    const { store, calls, until, stored } = startApp({ position });
    store.dispatch(completeRequested({ participation: participation, checkIn: 'required' }));
    await until((state) => selectPendingAction(state) === null);
    expect(selectActionError(store.getState())).toMatch(sentence);
    expect(calls).toEqual([]);
    expect(stored.completions).toEqual([]);
  },
);

test('completing a challenge again after leaving it does not change the points', async () => {
  const completedAgain = { ...completed, joinedAt: '2026-05-03T11:00:00.000Z' };
  const award = { challengeId: participation.challengeId, points: 10, awardedAt: '2026-05-02T18:00:00.000Z' };
  const { store, visited, until } = startApp({
    responses: {
      [`PUT /api/challengeLine/${participation.id}`]: { body: completedAgain },
      'PUT /api/points/': { body: { ...me, points: 50, award } },
    },
  });
  store.dispatch(completeRequested({ participation: participation, checkIn: 'no' }));
  await until(() => visited.length > 0);
  expect(selectCelebration(store.getState())).toMatchObject({ from: 50, to: 50 });
});

test('a completion whose points cannot be loaded says that they are on their way', async () => {
  const { store, visited, until } = startApp({
    responses: {
      [`PUT /api/challengeLine/${participation.id}`]: { body: completed },
      'PUT /api/points/': problem('service-unavailable'),
    },
  });
  store.dispatch(completeRequested({ participation: participation, checkIn: 'no' }));
  await until(() => visited.length > 0);
  expect(store.getState().notice.current?.text).toContain('on their way');
});

test('completing before the start date shows the reason and changes nothing', async () => {
  const { store, visited, until } = startApp({
    responses: { [`PUT /api/challengeLine/${participation.id}`]: problem('not-started') },
  });
  store.dispatch(participationsReceived([participation]));
  store.dispatch(completeRequested({ participation: participation, checkIn: 'no' }));
  await until((state) => selectActionError(state) !== null);
  expect(participationsOf(store.getState().challengeLines)).toEqual([participation]);
  expect(selectPendingAction(store.getState())).toBeNull();
  expect(selectActionError(store.getState())).toBe('This challenge has not started yet.');
  expect(visited).toEqual([]);
});

describe('a completion made offline', () => {
  const path = `PUT /api/challengeLine/${participation.id}`;
  const noon = Date.parse('2026-05-03T12:00:00Z');
  const pending = {
    ...{
      participationId: participation.id,
      challengeId: participation.challengeId,
      name: participation.challenge.name,
    },
    doneAt: noon,
  };
  beforeEach(() => {
    fakeTimers(['Date'], noon);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('is stored with its position, and sent with its age when the connection is back', async () => {
    const { store, calls, stored, socket, visited, until } = startApp({
      responses: { [path]: () => Promise.reject(new TypeError('Failed to fetch')) },
      ...{ token: 'a token', social: true, position },
    });
    store.dispatch(userReceived(me));
    await until(() => socket.state.open > 0);
    store.dispatch(participationsReceived([participation]));
    store.dispatch(completeRequested({ participation: participation, checkIn: 'chosen' }));
    await until((state) => selectPendingCompletions(state).length > 0);
    expect(stored.completions).toEqual([{ ...pending, position }]);
    expect(selectPendingAction(store.getState())).toBeNull();
    expect(selectActionError(store.getState())).toBeNull();
    expect(visited).toEqual([]);

    jest.setSystemTime(noon + 90_000);
    socket.receive(connected());
    const sent = () => calls.filter(({ call }) => call === path);
    await until(() => sent().length === 2);
    expect(sent()[1]?.body).toEqual({
      completed: true,
      secondsAgo: 90,
      position: { ...position, secondsAgo: 90 },
    });
    // The connection fails again.
    await until((state) => selectPendingCompletions(state).length === 1);
    expect(stored.completions).toHaveLength(1);
  });

  const startWith = (responses: Parameters<typeof startApp>[0]) => {
    const app = startApp({ token: 'a token', social: true, completions: [pending], ...responses });
    app.store.dispatch(userReceived(me));
    return app;
  };

  test('is sent at the next visit, and marked as completed', async () => {
    jest.setSystemTime(noon + 3_600_000);
    const { store, calls, stored, until } = startWith({ responses: { [path]: { body: completed } } });
    await until((state) => selectOwnParticipation(state, participation.challengeId)?.completed === true);
    expect(calls.find(({ call }) => call === path)?.body).toEqual({ completed: true, secondsAgo: 3_600 });
    await until(() => stored.completions.length === 0);
    expect(selectPendingCompletions(store.getState())).toEqual([]);
    await until(({ notice }) => notice.current?.text.includes('is completed') === true);
  });

  test('is reported in one notice together with others that are sent', async () => {
    const otherParticipation = {
      ...pending,
      participationId: participation.id + 1,
      challengeId: participation.challengeId + 1,
    };
    const otherCompleted = {
      ...completed,
      id: otherParticipation.participationId,
      challengeId: otherParticipation.challengeId,
    };
    const { stored, until } = startWith({
      completions: [pending, otherParticipation],
      responses: {
        [path]: { body: completed },
        [`PUT /api/challengeLine/${otherParticipation.participationId}`]: { body: otherCompleted },
      },
    });
    await until(({ notice }) => notice.current?.text.startsWith('2 challenges are completed.') === true);
    expect(stored.completions).toEqual([]);
  });

  test('is deleted by a logout', async () => {
    const { store, stored, until } = startWith({
      responses: { [path]: () => Promise.reject(new TypeError('Failed to fetch')) },
    });
    await until((state) => selectPendingCompletions(state).length === 1);
    store.dispatch(logoutRequested());
    expect(stored.completions).toEqual([]);
  });

  test('stays with the reason if it is rejected, until the person tries again or discards it', async () => {
    let response = problem('completed-too-long-ago');
    const { store, stored, until, calls } = startWith({ responses: { [path]: () => response } });
    await until((state) => selectRefusedCompletions(state).length === 1);
    expect(stored.completions).toMatchObject([{ ...pending, refused: expect.stringContaining('48 hours') }]);
    expect(selectPendingCompletions(store.getState())).toEqual([]);

    const nextVisit = startWith({ completions: stored.completions, responses: {} });
    await nextVisit.until((state) => selectRefusedCompletions(state).length === 1);
    const [refused] = selectRefusedCompletions(nextVisit.store.getState());
    if (refused) nextVisit.store.dispatch(completionDiscarded(refused));
    await nextVisit.until((state) => selectRefusedCompletions(state).length === 0);
    expect(nextVisit.stored.completions).toEqual([]);
    expect(nextVisit.calls.some(({ call }) => call === path)).toBe(false);

    response = { body: completed };
    if (refused) store.dispatch(completionRetried(refused));
    await until((state) => selectOwnParticipation(state, participation.challengeId)?.completed === true);
    expect(stored.completions).toEqual([]);
    expect(calls.filter(({ call }) => call === path)).toHaveLength(2);
  });

  test('stays if the session has ended, since it is not rejected itself', async () => {
    const { stored, until } = startWith({ responses: { [path]: problem('invalid-token') } });
    await until((state) => state.auth.status === 'visitor');
    expect(stored.completions).toEqual([pending]);
  });

  test('is sent again if the connection is back while an attempt that began before it is failing', async () => {
    let fail = (_error: Error) => {};
    const failing = new Promise<never>((_, reject) => {
      fail = reject;
    });
    let attempts = 0;
    const { calls, stored, socket, until } = startWith({
      responses: { [path]: () => (++attempts === 1 ? failing : { body: completed }) },
    });
    await until(() => calls.some(({ call }) => call === path));
    socket.receive(connected());
    fail(new TypeError('Failed to fetch'));
    await until((state) => selectOwnParticipation(state, participation.challengeId)?.completed === true);
    await until(() => stored.completions.length === 0);
  });

  test('stays pending while the service is unavailable', async () => {
    const { store, calls, stored, until } = startWith({
      responses: { [path]: problem('service-unavailable') },
    });
    await until(() => calls.some(({ call }) => call === path));
    await until((state) => selectPendingCompletions(state).length === 1);
    expect(stored.completions).toEqual([pending]);
    expect(store.getState().notice.current).toBeNull();
  });
});

test('the own participation is loaded separately if the list of participants does not contain it', async () => {
  const { store, until } = startApp({
    responses: {
      'GET /api/challengeLine/?challengeId=3': { body: [] },
      'GET /api/challengeLine/?challengeId=3&userId=7': { body: [participation] },
    },
  });
  store.dispatch(participantsRequested({ challengeId: 3, userId: 7 }));
  await until((state) => selectParticipantsState(state) === 'ready');
  expect(selectOwnParticipation(store.getState(), 3)).toEqual(participation);
});
