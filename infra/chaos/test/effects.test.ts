import { effectOf, findShortcomings } from '../src/effects.ts';
import { Action, type Call, type Outcome } from '../src/history.ts';

const samples: Action[] = [
  { kind: 'sign up', username: 'cleo' },
  { kind: 'log in', username: 'cleo' },
  { kind: 'create a challenge', name: 'Herons', challengeId: 7 },
  { kind: 'delete a challenge', challengeId: 8 },
  { kind: 'join', challengeId: 7 },
  { kind: 'leave', challengeId: 7 },
  { kind: 'complete', challengeId: 7 },
  { kind: 'request friendship', friendId: 2 },
  { kind: 'accept', friendId: 2 },
  { kind: 'unfriend', friendId: 2 },
  { kind: 'block', userId: 2 },
  { kind: 'report', userId: 2 },
  { kind: 'send', conversationId: 3, clientId: 'a' },
  { kind: 'change the name', firstName: 'Ann' },
  { kind: 'read points', points: 0 },
  { kind: 'read participations' },
  { kind: 'read messages', conversationId: 3 },
  { kind: 'read the leaderboard' },
  { kind: 'read notifications' },
  { kind: 'search' },
];

const call = (began: number, action: Action, outcome: Outcome = 'ok'): Call => ({
  ...{ by: 1, action, outcome, began, ended: began + 5 },
});

/** One call of each kind before a fault, one of each kind during it, one of each after it. */
const goodCalls = () => [100, 1_100, 5_100].flatMap((at) => samples.map((action, n) => call(at + n, action)));
const faults = [{ fault: 'Redis killed', began: 1_000, ended: 5_000, until: 11_000 }];
const recoveryMs = 3_000;

it('finds nothing in a run in which calls of all kinds were acknowledged', () => {
  expect(samples.map(({ kind }) => kind)).toEqual(Action.options.map(({ shape }) => shape.kind.value));
  expect(findShortcomings(goodCalls(), faults, recoveryMs)).toEqual([]);
});

it('finds kinds of calls of which fewer than two were acknowledged', () => {
  const calls = goodCalls().map((each) =>
    each.action.kind === 'join' && each.began > 1_000 ? { ...each, outcome: 'rejected' as const } : each,
  );
  expect(findShortcomings(calls, faults, recoveryMs)).toEqual(['only 1 calls to join were acknowledged']);
});

it.each(['rejected', 'unknown'] as const)('finds a fault with which all calls were %s', (outcome) => {
  const calls = [...goodCalls(), ...goodCalls()].map((each) =>
    each.began > 1_000 ? { ...each, outcome } : each,
  );
  expect(findShortcomings(calls, faults, 10_000)).toEqual([
    'Redis killed: only 0 of 80 calls were acknowledged',
  ]);
});

it('finds a kind of calls of which none was acknowledged with a fault', () => {
  const searches = (times: number) =>
    Array.from({ length: times }, (_, n) => call(2_000 + n, { kind: 'search' }, 'unknown'));
  const others = goodCalls().filter(({ action, began }) => action.kind !== 'search' || began < 1_000);
  const good = [...others, call(200, { kind: 'search' })];
  expect(findShortcomings([...good, ...searches(2)], faults, recoveryMs)).toEqual([]);
  expect(findShortcomings([...good, ...searches(3)], faults, recoveryMs)).toEqual([
    'Redis killed: no call to search was acknowledged, also after it',
  ]);
});

it('finds a run without any fault, and one without any call', () => {
  expect(findShortcomings(goodCalls(), [], recoveryMs)).toEqual(['there was no fault']);
  expect(findShortcomings([], faults, recoveryMs)).toContain(
    'Redis killed: only 0 of 0 calls were acknowledged',
  );
});

it('finds a fault after which calls fail for longer than the recovery may take', () => {
  const failing = (began: number) => call(began, { kind: 'search' }, 'unknown');
  expect(findShortcomings([...goodCalls(), failing(8_000)], faults, recoveryMs)).toEqual([]);
  expect(findShortcomings([...goodCalls(), failing(8_001)], faults, recoveryMs)).toEqual([
    'Redis killed: calls failed until 3.0 s after it',
  ]);
  // These may have failed because of the next fault.
  for (const began of [10_996, 11_000])
    expect(findShortcomings([...goodCalls(), failing(began)], faults, recoveryMs)).toEqual([]);
});

it('tells how many calls failed while a fault was there, and for how long', () => {
  const calls = [
    ...goodCalls(),
    call(2_000, { kind: 'search' }, 'unknown'),
    call(5_500, { kind: 'join', challengeId: 7 }, 'unknown'),
    call(12_000, { kind: 'search' }, 'unknown'),
  ];
  expect(effectOf({ fault: 'Redis killed', began: 1_000, ended: 5_000, until: 11_000 }, calls)).toMatchObject(
    {
      ...{ calls: 42, acknowledged: 40, failed: 2, failedFor: 3_505, recoveredAfter: 500 },
      what: 'search 1, join 1',
    },
  );
});
