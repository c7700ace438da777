import { newEvent } from '@wayquest/platform/bus';
import {
  createTestClock,
  type IsolatedService,
  type Network,
  newUser,
  signToken,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';
import { startIsolatedUsers } from './isolated-users.ts';

let network: Network;
const people: TestUser[] = [];

const earn = (user: TestUser, points: number, n = points) =>
  network.bus.publish(
    newEvent('challenge.completed.v1', {
      participationId: user.me.id * 1_000 + n,
      challengeId: user.me.id * 1_000 + n,
      userId: user.me.id,
      points,
      creatorId: 999_999,
      completedAt: new Date().toISOString(),
    }),
  );

beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'friends'] });
  for (let n = 0; n < 23; n++) people.push(await newUser(network));
  // The first has the most points, the last two have none.
  for (const [index, person] of people.slice(0, 21).entries()) await earn(person, 90 - index);
  await network.settle();
});
afterAll(() => network?.stop());

it('ranks by points in pages of ten, with consecutive ranks and the podium on every page', async () => {
  const pages = await Promise.all(
    [1, 2, 3].map((page) => network.client().getLeaderboard({ query: { page } })),
  );
  expect(pages.map(({ rows }) => rows.length)).toEqual([10, 10, 3]);
  expect(pages.flatMap(({ rows }) => rows.map(({ rank }) => rank))).toEqual(
    people.map((_, index) => index + 1),
  );
  expect(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(people.map(({ me }) => me.id));
  for (const { podium, total, pages: count } of pages) {
    expect(podium.map(({ rank, username }) => [rank, username])).toEqual(
      people.slice(0, 3).map(({ username }, index) => [index + 1, username]),
    );
    expect([total, count]).toEqual([23, 3]);
  }
});

it('returns the last page for one past the end', async () => {
  expect(await network.client().getLeaderboard({ query: { page: 99 } })).toMatchObject({ page: 3 });
});

it('ranks a member and their friends, and rejects visitors', async () => {
  const [first, second, third] = people;
  if (!first || !second || !third) throw new Error('too few people');
  const befriend = (requestId: number, other: TestUser) =>
    newEvent('friend.accepted.v1', { requestId, userIds: [second.me.id, other.me.id] });
  await network.bus.publish(befriend(1, first));
  await network.bus.publish(
    newEvent('friend.removed.v1', { requestId: 2, userIds: [second.me.id, third.me.id] }),
  );
  await network.bus.publish(befriend(2, third));
  const { rows, total } = await second.client.getLeaderboard({ query: { scope: 'friends' } });
  expect(rows.map(({ rank, id }) => [rank, id])).toEqual([
    [1, first.me.id],
    [2, second.me.id],
  ]);
  expect(total).toBe(2);
  await expect(network.client().getLeaderboard({ query: { scope: 'friends' } })).rejects.toMatchObject({
    status: 401,
  });
});

it('shows the last user of a page on that page, among friends and among all', async () => {
  const last = people[19];
  if (!last) throw new Error('too few people');
  // Nine with more points, and three with fewer.
  for (const [index, { me }] of [...people.slice(10, 19), ...people.slice(20)].entries())
    await network.bus.publish(
      newEvent('friend.accepted.v1', { requestId: 100 + index, userIds: [last.me.id, me.id] }),
    );
  for (const [scope, expectedPage] of [
    ['friends', 1],
    ['all', 2],
  ] as const) {
    const { page, rows } = await last.client.getLeaderboard({ query: { scope, around: 'me' } });
    expect([page, rows.at(-1)?.id]).toEqual([expectedPage, last.me.id]);
  }
});

it('ranks users of the same town, all-time and monthly, and follows moves', async () => {
  const [first, second, third, fourth] = people;
  if (!first || !second || !third || !fourth) throw new Error('too few people');
  const at = (city: string, state: string) => ({ body: { city, state } });
  await first.client.updateMe(at('Saint Paul', 'MN'));
  await second.client.updateMe(at('saint  paul ', 'mn'));
  await third.client.updateMe(at('Saint Paul', 'NC'));
  const idsFor = async ({ client }: TestUser, period: 'all' | 'month') =>
    (await client.getLeaderboard({ query: { scope: 'town', period } })).rows.map(({ id }) => id);
  for (const period of ['all', 'month'] as const) {
    expect(await idsFor(second, period)).toEqual([first.me.id, second.me.id]);
    expect(await idsFor(third, period)).toEqual([third.me.id]);
    expect(await idsFor(fourth, period)).toEqual([]);
  }
  await third.client.updateMe(at('Saint Paul', 'MN'));
  await first.client.updateMe(at('', ''));
  for (const period of ['all', 'month'] as const) {
    expect(await idsFor(third, period)).toEqual([second.me.id, third.me.id]);
    expect(await idsFor(first, period)).toEqual([]);
  }
  const around = { scope: 'town', period: 'month', around: 'me' } as const;
  const { rows, total } = await third.client.getLeaderboard({ query: around });
  expect([rows.at(-1)?.id, rows.at(-1)?.rank, total]).toEqual([third.me.id, 2, 2]);
  await expect(network.client().getLeaderboard({ query: { scope: 'town' } })).rejects.toMatchObject({
    status: 401,
  });
});

it('ranks towns from profiles and awards that an older version stored', async () => {
  const month = new Date().toISOString().slice(0, 7);
  const award = (userId: number, points: number, more: object = {}) => {
    const ids = { _id: `${userId}:${userId * 10 + points}`, userId, challengeId: userId * 10 + points };
    return { ...ids, points, awardedAt: new Date(), appliedAt: new Date(), ...more };
  };
  const profile = (id: number, city: string) => ({
    ...{ _id: id, version: 1, username: `person-${id}`, admin: false, accountVersion: 1, words: ['person'] },
    ...{ firstName: '', lastName: '', streetAddress: '', city, state: 'NY', zip: '', email: '' },
    ...{ avatar: `explorer-${id}.svg`, points: id },
  });
  const users = await startIsolatedUsers({
    profiles: [profile(5, 'Queens'), profile(7, 'Queens'), profile(9, 'Buffalo')],
    months: [{ _id: `${month}:5`, month, userId: 5, points: 3 }],
    awards: [
      award(7, 7),
      award(7, 8, { ownPlace: '7:2026-01-01:1' }),
      ...[award(5, 5), award(5, 20, { flaggedAt: new Date() }), award(9, 30)],
    ],
  });
  const as = users.client(signToken({ sub: '5' }));
  const all = await as.getLeaderboard({ query: { scope: 'town' } });
  expect(all.rows.map(({ id, points }) => [id, points])).toEqual([
    [7, 7],
    [5, 5],
  ]);
  const ofMonth = await as.getLeaderboard({ query: { scope: 'town', period: 'month' } });
  expect(ofMonth.rows.map(({ id, points }) => [id, points])).toEqual([[5, 3]]);
  await users.stop();
});

describe('the monthly leaderboard', () => {
  it('counts completions of others’ challenges since the month began, and nothing else', async () => {
    const [first, second] = people;
    const own = await newUser(network);
    if (!first || !second) throw new Error('too few people');
    const ofTheirOwn = {
      creatorId: own.me.id,
      userId: own.me.id,
      points: 100,
      participationId: 7,
      challengeId: 7,
    };
    await network.bus.publish(
      newEvent('challenge.completed.v1', { ...ofTheirOwn, completedAt: new Date().toISOString() }),
    );
    await network.settle();
    const query = { period: 'month' } as const;
    const { rows, podium, total } = await network.client().getLeaderboard({ query });
    expect(rows.map(({ rank, id, points }) => [rank, id, points])).toEqual(
      people.slice(0, 10).map(({ me }, index) => [index + 1, me.id, 90 - index]),
    );
    expect([podium.length, total]).toEqual([3, 21]);
    expect((await network.client().getLeaderboard()).podium[0]?.id).toBe(own.me.id);

    const around = { ...query, around: 'me' } as const;
    expect((await own.client.getLeaderboard({ query: around })).rows.map(({ rank }) => rank)).toEqual([21]);
    const last = people[20];
    expect((await last?.client.getLeaderboard({ query: around }))?.rows.at(-1)).toMatchObject({
      id: last?.me.id,
      rank: 21,
      points: 70,
    });
    const friends = await second.client.getLeaderboard({ query: { ...query, scope: 'friends' } });
    expect(friends.rows.map(({ id, points }) => [id, points])).toEqual([
      [first.me.id, 90],
      [second.me.id, 89],
    ]);
  });

  it('is paged by its Link headers, and contains no previous month', async () => {
    const ids: number[] = [];
    for (let next: string | undefined = '/api/leaderboard?period=month'; next; ) {
      const response: Response = await fetch(network.url + next);
      const { rows }: { rows: { id: number }[] } = await response.json();
      ids.push(...rows.map(({ id }) => id));
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(ids).toEqual(people.slice(0, 21).map(({ me }) => me.id));

    const users = await startIsolatedUsers({
      monthly_scores: [{ _id: '2020-01:7', month: '2020-01', userId: 7, points: 50 }],
    });
    expect(await users.client().getLeaderboard({ query: { period: 'month' } })).toMatchObject({
      rows: [],
      total: 0,
    });
    await users.stop();
  });

  it('counts points that are approved later in their own month only, until the user is deleted', async () => {
    const clock = createTestClock(Date.parse('2026-05-04T12:00:00Z'));
    const [before, now] = [new Date('2026-04-30T12:00:00Z'), new Date(clock.now())];
    const [monthBefore, month] = ['2026-04', '2026-05'];
    const award = (challengeId: number, points: number, awardedAt: Date, more: object = {}) => ({
      ...{ _id: `7:${challengeId}`, userId: 7, challengeId, points, awardedAt, appliedAt: awardedAt },
      ...{ creatorId: 9, ...more },
    });
    const flagged = { flaggedAt: before, flagReason: 'pace' };
    const users = await startIsolatedUsers(
      {
        awards: [award(1, 5, before, flagged), award(2, 3, before), award(3, 30, now)],
        monthly_scores: [
          { _id: `${monthBefore}:7`, month: monthBefore, userId: 7, points: 3, version: 1 },
          { _id: `${month}:7`, month, userId: 7, points: 30, version: 1 },
        ],
      },
      { clock },
    );
    await users.deliver(
      newEvent('user.registered.v1', { id: 7, username: 'person-7', admin: false, version: 1 }),
    );
    const scores = async () => (await users.read('monthly_scores')).map(({ _id, points }) => [_id, points]);
    const admin = users.client(signToken({ sub: '1', admin: true }));
    await admin.approveAward({ params: { userId: 7, challengeId: 1 } });
    await users.settle();
    expect(await scores()).toEqual([
      [`${monthBefore}:7`, 8],
      [`${month}:7`, 30],
    ]);

    await users.deliver(newEvent('user.deleted.v1', { id: 7 }));
    expect(await scores()).toEqual([]);
    await users.stop();
  });
});

describe('points of check-ins', () => {
  const now = new Date().toISOString();
  const month = now.slice(0, 7);
  /** Users in the order of their ranks: all have the same points, and some have check-ins. An older version stored user 2. */
  const ranking = [12, 3, 11, 1, 2, 4, 5, 6, 7, 8, 9, 10];
  const checkedInOf = new Map([
    [12, [true, true]],
    [3, [true, false]],
    [11, [false, true]],
  ]);
  const completion = (userId: number, nth: number) => {
    const challengeId = userId * 10 + nth;
    return {
      participationId: challengeId,
      challengeId,
      userId,
      creatorId: 999_999,
      points: 10,
      completedAt: now,
    };
  };
  let users: IsolatedService;
  beforeAll(async () => {
    const profile = (id: number) => ({
      ...{
        _id: id,
        version: 1,
        username: `person-${id}`,
        admin: false,
        accountVersion: 1,
        words: ['person'],
      },
      ...{ firstName: '', lastName: '', streetAddress: '', city: 'Queens', state: 'NY', zip: '', email: '' },
      ...{ avatar: `explorer-${id}.svg`, points: 0, outbox: [] },
    });
    users = await startIsolatedUsers({
      profiles: ranking.map(profile),
      monthly_scores: [{ _id: `${month}:2`, month, userId: 2, points: 20, version: 1 }],
    });
    for (const userId of ranking.filter((id) => id !== 2))
      for (const [nth, checkedIn] of (checkedInOf.get(userId) ?? [false, false]).entries())
        await users.deliver(newEvent('challenge.completed.v1', { ...completion(userId, nth), checkedIn }));
    await users.settle();
  });
  afterAll(() => users?.stop());

  /** Reads all pages. */
  const readAll = async (scope: string, period = 'month') => {
    const found: number[][] = [];
    for (let next: string | undefined = `/api/leaderboard?period=${period}&scope=${scope}`; next; ) {
      const headers = { authorization: signToken({ sub: '1' }) };
      const response: Response = await fetch(users.url + next, { headers });
      const { rows }: { rows: { id: number; rank: number }[] } = await response.json();
      found.push(...rows.map(({ id, rank }) => [rank, id]));
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    return found;
  };

  it.each(['all', 'town'])('break ties in the monthly leaderboard (%s)', async (scope) => {
    expect(await readAll(scope)).toEqual(ranking.map((id, index) => [index + 1, id]));
  });

  it('break ties in the town’s all-time leaderboard, too, and users without any come last', async () => {
    expect(await readAll('town', 'all')).toEqual(
      [12, 3, 11, 1, 4, 5, 6, 7, 8, 9, 10, 2].map((id, index) => [index + 1, id]),
    );
  });

  it('determine the page of a user', async () => {
    for (const [id, page] of [
      [11, 1],
      [8, 1],
      [9, 2],
    ] as const) {
      const client = users.client(signToken({ sub: String(id) }));
      const found = await client.getLeaderboard({ query: { period: 'month', around: 'me' } });
      expect([found.page, found.rows.map((row) => row.id)]).toEqual([page, expect.arrayContaining([id])]);
    }
  });

  it('are considered when a page starts at a cursor', async () => {
    const response = await fetch(`${users.url}/api/leaderboard?period=month&cursor=20:1`);
    const { rows }: { rows: { id: number; rank: number }[] } = await response.json();
    expect([rows[0]?.rank, rows[0]?.id]).toEqual([5, 2]);
  });

  it('break ties among friends, and change nothing in the all-time leaderboard', async () => {
    await users.deliver(newEvent('friend.accepted.v1', { requestId: 1, userIds: [1, 12] }));
    const client = users.client(signToken({ sub: '1' }));
    const idsOf = async (period: 'all' | 'month') =>
      (await client.getLeaderboard({ query: { scope: 'friends', period } })).rows.map(({ id }) => id);
    expect([await idsOf('month'), await idsOf('all')]).toEqual([
      [12, 1],
      [1, 12],
    ]);
    const { rows } = await client.getLeaderboard();
    expect(rows.map(({ id }) => id)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('are not revealed by Link headers', async () => {
    for (let id = 21; id <= 30; id++) {
      await users.deliver(
        newEvent('user.registered.v1', { id, username: `person-${id}`, admin: false, version: 1 }),
      );
      await users.deliver(
        newEvent('challenge.completed.v1', { ...completion(id, 0), points: 50, checkedIn: true }),
      );
    }
    await users.settle();
    const { headers } = await fetch(`${users.url}/api/leaderboard?period=month`);
    expect(headers.get('link')).toMatch(/page=2>/);
  });
});
