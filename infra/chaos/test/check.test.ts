import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FinalState, findViolations } from '../src/check.ts';
import { type Action, type Call, type Outcome, readRecord, writeRecord } from '../src/history.ts';

/** A history: users 1 (Ann) and 2 (Ben) are friends. Ann created challenge 7; Ben completed it, sent her two messages, and left challenge 9. */
const call = (by: number, at: number, action: Action, outcome: Outcome = 'ok'): Call => ({
  ...{ by, action, outcome, began: at, ended: at + 5 },
});

const calls = (): Call[] => [
  call(1, 0, { kind: 'create a challenge', name: 'Herons', challengeId: 7 }),
  call(2, 10, { kind: 'join', challengeId: 7 }),
  call(2, 20, { kind: 'complete', challengeId: 7 }),
  call(2, 30, { kind: 'read participations', participations: [{ challengeId: 7, completed: true }] }),
  call(2, 40, { kind: 'read points', points: 0 }),
  call(2, 50, { kind: 'read points', points: 10 }),
  call(1, 60, { kind: 'accept', friendId: 2 }),
  call(2, 70, { kind: 'send', conversationId: 3, clientId: 'a' }, 'unknown'),
  call(2, 80, { kind: 'send', conversationId: 3, clientId: 'a' }),
  call(2, 90, { kind: 'send', conversationId: 3, clientId: 'b' }),
  call(2, 100, { kind: 'read messages', conversationId: 3, clientIds: ['a', 'b'] }),
  call(1, 110, { kind: 'change the name', firstName: 'Ann' }),
  call(1, 120, { kind: 'sign up', username: 'cleo' }),
  call(1, 130, { kind: 'create a challenge', name: 'Geese', challengeId: 8 }),
  call(1, 140, { kind: 'delete a challenge', challengeId: 8 }),
  call(2, 150, { kind: 'join', challengeId: 9 }),
  call(2, 160, { kind: 'leave', challengeId: 9 }),
  call(2, 170, { kind: 'read participations', participations: [{ challengeId: 7, completed: true }] }),
  call(1, 180, { kind: 'accept', friendId: 4 }),
  call(4, 190, { kind: 'unfriend', friendId: 1 }),
  call(1, 200, { kind: 'block', userId: 5 }),
  call(2, 210, { kind: 'report', userId: 6 }),
  call(2, 220, { kind: 'report', userId: 6 }),
  call(1, 230, { kind: 'log in', username: 'cleo' }),
  call(2, 240, { kind: 'request friendship', friendId: 6 }),
];

const ending = (): FinalState => ({
  people: [
    {
      ...{ id: 1, points: 0, firstName: 'Ann', participations: [], blocked: [5] },
      ...{ sentRequests: [], receivedRequests: [], notifications: [{ challengeId: 7, count: 1 }] },
      friends: [{ id: 2, firstName: 'Ben' }],
      conversations: [{ id: 3, otherId: 2, unread: 2, readId: null }],
    },
    {
      ...{ id: 2, points: 10, firstName: 'Ben', blocked: [] },
      ...{ sentRequests: [6], receivedRequests: [], notifications: [] },
      participations: [{ challengeId: 7, completed: true, points: 10 }],
      friends: [{ id: 1, firstName: 'Ann' }],
      conversations: [{ id: 3, otherId: 1, unread: 0, readId: 3 }],
    },
  ],
  challenges: [{ id: 7, name: 'Herons', points: 10 }],
  leaderboard: [{ id: 2, points: 10 }],
  messages: [
    {
      conversationId: 3,
      all: [
        { id: 2, clientId: 'a', sender: 2 },
        { id: 3, clientId: 'b', sender: 2 },
      ],
    },
  ],
  tabs: [{ personId: 1, conversationId: 3, held: [2, 3] }],
  accounts: ['cleo'],
  reports: [{ by: 2, userId: 6 }],
  deadLetters: 0,
});

it('reports nothing for a correct history', () => {
  expect(findViolations(calls(), ending())).toEqual([]);
});

const personOf = ({ people }: FinalState, id: number) => {
  const found = people.find((person) => person.id === id);
  if (!found) throw new Error('nobody');
  return found;
};
const messagesOf = ({ messages }: FinalState) => messages[0]?.all ?? [];

it.each<[string, (end: FinalState, all: Call[]) => unknown]>([
  ['Herons was created and is missing', (end) => end.challenges.pop()],
  ['Herons is there twice', (end) => end.challenges.push({ id: 8, name: 'Herons', points: 10 })],
  ['Swans was created by nobody', (end) => end.challenges.push({ id: 9, name: 'Swans', points: 10 })],
  [
    '2 got 20 points for 7, which is worth 10',
    (end) => (personOf(end, 2).participations = [{ challengeId: 7, completed: true, points: 20 }]),
  ],
  ['2 has 10 points, and 0 on the leaderboard', (end) => end.leaderboard.pop()],
  ['2 is on the leaderboard twice', (end) => end.leaderboard.push({ id: 2, points: 10 })],
  ['2 is too low on the leaderboard', (end) => end.leaderboard.unshift({ id: 1, points: 0 })],
  ['1 was notified of 0 completions of 7 instead of 1', (end) => personOf(end, 1).notifications.pop()],
  [
    '1 was notified of 2 completions of 7 instead of 1',
    (end) => (personOf(end, 1).notifications = [{ challengeId: 7, count: 2 }]),
  ],
  ['2 has 20 points and earned 10', (end) => (personOf(end, 2).points = 20)],
  ['2 joined 7 and has no participation', (end) => (personOf(end, 2).participations = [])],
  [
    '2 has two participations in 7',
    (end) => personOf(end, 2).participations.push({ challengeId: 7, completed: false, points: 10 }),
  ],
  [
    '2 completed 7, which is not completed',
    (end) => (personOf(end, 2).participations = [{ challengeId: 7, completed: false, points: 10 }]),
  ],
  [
    '1 has a participation in 7 and never',
    (end) => personOf(end, 1).participations.push({ challengeId: 7, completed: false, points: 10 }),
  ],
  ['7 is completed by 2, who never', (_, all) => all.splice(2, 1)],
  ['2 and 1 became friends, but are not', (end) => (personOf(end, 2).friends = [])],
  [
    '1 has two conversations with 2',
    (end) => personOf(end, 1).conversations.push({ ...{ id: 4, otherId: 2, unread: 0, readId: null } }),
  ],
  ['1 and 2 do not share one conversation', (end) => (personOf(end, 2).conversations = [])],
  ['1 is called Ann, and Anna among', (end) => (personOf(end, 2).friends = [{ id: 1, firstName: 'Anna' }])],
  ['1 is called Zoe instead of Ann', (end) => (personOf(end, 1).firstName = 'Zoe')],
  ['message b was acknowledged and is not in 3', (end) => messagesOf(end).pop()],
  [
    'message a was acknowledged and is not in 3',
    (end) => {
      end.messages = [];
      for (const person of end.people) person.conversations = [];
    },
  ],
  [
    '1 has 1 unread messages in 3 instead of 2',
    (end) => (personOf(end, 1).conversations = [{ id: 3, otherId: 2, unread: 1, readId: null }]),
  ],
  ['message a is in 3 twice', (end) => messagesOf(end).push({ id: 4, clientId: 'a', sender: 2 })],
  ['message c in 3 was sent by nobody', (end) => messagesOf(end).push({ id: 4, clientId: 'c', sender: 2 })],
  [
    'message a was sent before b but comes after it',
    (end) =>
      messagesOf(end).splice(0, 2, { id: 2, clientId: 'b', sender: 2 }, { id: 3, clientId: 'a', sender: 2 }),
  ],
  [
    'a message is missing before 4',
    (end) => messagesOf(end).push({ id: 4, clientId: null, sender: 2 }) && messagesOf(end).splice(1, 1),
  ],
  ['1 messages of 3 never reached 1', (end) => end.tabs[0]?.held.pop()],
  ['1 received message 3 of 3 twice', (end) => end.tabs[0]?.held.push(3)],
  ['cleo signed up and cannot log in', (end) => end.accounts.pop()],
  ['1 events are dead', (end) => (end.deadLetters = 1)],
  [
    '2 did not see that they had completed 7',
    (_, all) =>
      (all[3] = call(2, 30, {
        kind: 'read participations',
        participations: [{ challengeId: 7, completed: false }],
      })),
  ],
  [
    '2 did not see that they had joined 7',
    (_, all) => (all[3] = call(2, 30, { kind: 'read participations', participations: [] })),
  ],
  [
    'challenge 8 was deleted and is still there',
    (end) => end.challenges.push({ id: 8, name: 'Geese', points: 10 }),
  ],
  [
    '2 left 9 and has a participation',
    (end) => personOf(end, 2).participations.push({ challengeId: 9, completed: false, points: 10 }),
  ],
  [
    '2 joined 9 and has no participation',
    (_, all) =>
      all.splice(
        all.findIndex(({ action }) => action.kind === 'leave'),
        1,
      ),
  ],
  [
    '2 still saw that they had joined 9',
    (_, all) =>
      all.push(
        call(2, 250, { kind: 'read participations', participations: [{ challengeId: 9, completed: false }] }),
      ),
  ],
  [
    '4 and 1 were separated, but are friends',
    (end) => end.people.push({ ...personOf(end, 2), id: 4, friends: [{ id: 1, firstName: 'Ann' }] }),
  ],
  [
    '1 and 4 became friends, but are not',
    (_, all) =>
      all.splice(
        all.findIndex(({ action }) => action.kind === 'unfriend'),
        1,
      ),
  ],
  [
    '1 and 5 were separated, but are friends',
    (end) => personOf(end, 1).friends.push({ id: 5, firstName: 'Eve' }),
  ],
  ['2 asked 6 to be friends, but the request is not stored', (end) => personOf(end, 2).sentRequests.pop()],
  ['2 has two friend requests to 6', (end) => personOf(end, 2).sentRequests.push(6)],
  ['2 has a friend request to 9 and never asked', (end) => personOf(end, 2).sentRequests.push(9)],
  [
    '6 does not see the friend request of 2',
    (end) => end.people.push({ ...personOf(end, 1), id: 6, friends: [], conversations: [] }),
  ],
  ['1 blocked 5, but the block is not stored', (end) => (personOf(end, 1).blocked = [])],
  ['2 reported 6, but the report is not stored', (end) => end.reports.pop()],
  ['2 reported 6 twice', (end) => end.reports.push({ by: 2, userId: 6 })],
  [
    'cleo had signed up and could not log in',
    (_, all) => all.push(call(1, 260, { kind: 'log in', username: 'cleo' }, 'rejected')),
  ],
  ['2 had 10 points and then 0', (_, all) => all.push(call(2, 130, { kind: 'read points', points: 0 }))],
  [
    '2 did not see their message b',
    (_, all) => (all[10] = call(2, 100, { kind: 'read messages', conversationId: 3, clientIds: ['a'] })),
  ],
])('reports that %s', (sentence, corrupt) => {
  const [end, all] = [ending(), calls()];
  corrupt(end, all);
  expect(findViolations(all, end).join('; ')).toContain(sentence);
});

it('accepts both outcomes of a call without a response', () => {
  const all = [...calls(), call(1, 130, { kind: 'join', challengeId: 7 }, 'unknown')];
  expect(findViolations(all, ending())).toEqual([]);
  const end = ending();
  personOf(end, 1).participations.push({ challengeId: 7, completed: false, points: 10 });
  expect(findViolations(all, end)).toEqual([]);
});

it('accepts a friend request that is gone, if an unfriending or a block may have removed it', () => {
  const end = ending();
  personOf(end, 2).sentRequests = [];
  const block = call(6, 245, { kind: 'block', userId: 2 }, 'unknown');
  expect(findViolations([...calls(), block], end)).toEqual([]);
  const unfriend = (at: number) => call(6, at, { kind: 'unfriend', friendId: 2 });
  expect(findViolations([...calls(), unfriend(250)], end)).toEqual([]);
  expect(findViolations([...calls(), unfriend(230)], end)).toHaveLength(1);
});

it('reports the same for a history that was written to a file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'wayquest-history-'));
  const file = join(directory, 'history.ndjson');
  try {
    const [end, all] = [ending(), calls()];
    end.reports.pop();
    const record = {
      calls: all,
      faults: [{ fault: 'Redis killed', began: 0, ended: 40, until: 80 }],
      finalState: end,
    };
    await writeRecord(file, record);
    const read = await readRecord(file);
    expect(read).toEqual(record);
    expect(findViolations(read.calls, read.finalState)).toEqual([
      '2 reported 6, but the report is not stored',
      '2 reported 6, but the report is not stored',
    ]);
  } finally {
    await rm(directory, { recursive: true });
  }
});
