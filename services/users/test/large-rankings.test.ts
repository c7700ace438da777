import { newEvent } from '@wayquest/platform/bus';
import { createTestClock, failQueries, type IsolatedService, signToken } from '@wayquest/testing';
import { startIsolatedUsers } from './isolated-users.ts';

const userCount = 2_505;
const clock = createTestClock(Date.parse('2026-05-04T12:00:00Z'));
const month = '2026-05';
const towns = ['Queens', 'Buffalo'] as const;

interface Person {
  id: number;
  city: string;
  points: number;
  /** How many of them are with a check-in. */
  checkedIn: number;
}

/** Half of the people have the same points, others none; a third of them has only checked in. */
const personOf = (id: number): Person => {
  const points = id <= 1_200 ? 5 : (id * 7) % 40;
  return { id, city: towns[id % 2] ?? '', points, checkedIn: id % 3 ? 0 : points };
};
const people = new Map(Array.from({ length: userCount }, (_, index) => [index + 1, personOf(index + 1)]));

const personFor = (id: number): Person => {
  const person = people.get(id);
  if (!person) throw new Error('unknown person');
  return person;
};

const townOf = ({ city }: Person) => (city ? `${city.toLowerCase()},ny` : '');
const scoresOf = ({ points, checkedIn }: Person) => ({ points, checkedIn: checkedIn || null });
const profile = (person: Person) => ({
  ...{ _id: person.id, version: 1, username: `person-${person.id}`, admin: false, accountVersion: 1 },
  ...{ firstName: '', lastName: '', streetAddress: '', city: person.city, state: 'NY', zip: '', email: '' },
  ...{ avatar: `explorer-${person.id}.svg`, words: ['person'], outbox: [], points: person.points },
  ...{ town: townOf(person), townPoints: person.points || null, townCheckedIn: person.checkedIn || null },
});
const award = ({ id: userId, points, checkedIn }: Person) => ({
  ...{ _id: `${userId}:${userId}`, userId, challengeId: userId, points, creatorId: 999_999 },
  ...{ awardedAt: new Date(clock.now()), appliedAt: new Date(clock.now()), checkedIn: checkedIn > 0 },
});
const score = (person: Person) => {
  const { id: userId } = person;
  return { _id: `${month}:${userId}`, month, userId, town: townOf(person), ...scoresOf(person), version: 1 };
};

/** An index as version 0.2.0 stored it, for the ranking that it had one for. */
const oldIndex = () => {
  const count = [...people.values()].filter(
    ({ id, points }) => points > 5 || (points === 5 && id < 700),
  ).length;
  return {
    _id: 'all',
    version: 7,
    buckets: [
      { points: Number.MAX_SAFE_INTEGER, userId: 0, count },
      { points: 5, userId: 700, count: userCount - count },
    ],
  };
};

let users: IsolatedService;
let other: IsolatedService;
beforeAll(async () => {
  const all = [...people.values()];
  users = await startIsolatedUsers(
    {
      profiles: all.map(profile),
      awards: all.map(award),
      monthly_scores: [
        ...all.map(score),
        // Other months are not counted.
        ...all
          .slice(0, 50)
          .map((person) => ({ ...score(person), _id: `2026-04:${person.id}`, month: '2026-04' })),
      ],
      ranking_indexes: [oldIndex()],
      migrations: [{ _id: '003-towns', doneAt: new Date(clock.now()) }],
    },
    { clock },
  );
  other = await startIsolatedUsers({}, { clock, of: users });
});
afterAll(async () => {
  await other?.stop();
  await users?.stop();
});

const as = (id: number) => users.client(signToken({ sub: String(id) }));
const earn = (userId: number, challengeId: number, points: number, more: { checkedIn?: boolean } = {}) => {
  const person = personFor(userId);
  person.points += points;
  if (more.checkedIn) person.checkedIn += points;
  return newEvent('challenge.completed.v1', {
    ...{ participationId: challengeId, challengeId, userId, creatorId: 999_999, points, ...more },
    completedAt: new Date(clock.now()).toISOString(),
  });
};

type Scope = 'all' | 'town';
type Period = 'all' | 'month';
const boards: [Scope, Period][] = [
  ['all', 'month'],
  ['town', 'all'],
  ['town', 'month'],
  ['all', 'all'],
];

/** A board that somebody sees, in order. */
const rankingFor = (viewer: number, scope: Scope, period: Period): number[] =>
  [...people.values()]
    .filter((person) => scope === 'all' || person.city === people.get(viewer)?.city)
    .filter((person) => period === 'all' || person.points > 0)
    .sort(
      (one, two) =>
        two.points - one.points ||
        (scope === 'all' && period === 'all' ? 0 : two.checkedIn - one.checkedIn) ||
        one.id - two.id,
    )
    .map(({ id }) => id);

/** Compares the first page, some others and the last one. */
async function expectCorrectPages(viewer: number): Promise<void> {
  await users.settle();
  await other.settle();
  for (const [scope, period] of boards) {
    const expected = rankingFor(viewer, scope, period);
    const pages = Math.ceil(expected.length / 10);
    const read = [1, ...Array.from({ length: Math.floor(pages / 20) }, (_, n) => (n + 1) * 20), pages];
    for (const page of read) {
      const { rows, total } = await as(viewer).getLeaderboard({ query: { scope, period, page } });
      expect([scope, period, rows.map(({ id, rank }) => [id, rank])]).toEqual([
        scope,
        period,
        expected.slice(page * 10 - 10, page * 10).map((id, index) => [id, page * 10 - 9 + index]),
      ]);
      expect(total).toBe(expected.length);
    }
  }
}

it('ranks thousands of people in a month and in a town, with ties in order of check-ins (51, code 15)', async () => {
  await expectCorrectPages(1);
  await expectCorrectPages(2);
});

it('returns any page, and the page of a user, at constant cost in each ranking (51, code 15)', async () => {
  for (const [scope, period] of boards) {
    const expected = rankingFor(1, scope, period);
    const last = Math.ceil(expected.length / 10);
    const viewers = [expected[700], expected.at(-1)].map((id) => id ?? 0);
    for (const [viewer, query] of [
      [1, { page: last }],
      [1, { page: 9_999 }],
      ...viewers.map((id) => [id, { around: 'me' }] as const),
    ] as const) {
      users.commands.length = 0;
      const found = await as(viewer).getLeaderboard({ query: { scope, period, ...query } });
      const rank = query === undefined || 'around' in query ? expected.indexOf(viewer) : (last - 1) * 10;
      expect(found.page).toBe(Math.floor(rank / 10) + 1);
      expect(found.rows.map(({ id }) => id)).toEqual(expected.slice(found.page * 10 - 10, found.page * 10));
      // One of them finds the town.
      expect(users.commands.length).toBeLessThanOrEqual(scope === 'town' ? 9 : 8);
      for (const { command } of users.commands) {
        expect(command.skip ?? 0).toBeLessThan(1_000);
        // A count between two positions, not of everybody ahead.
        if (command.aggregate) expect(command.pipeline[0].$match).toHaveProperty('$or');
      }
    }
  }
});

const moveTo = async (id: number, city: string) => {
  personFor(id).city = city;
  await as(id).updateMe({ body: { city, state: 'NY' } });
};
const remove = (id: number) => {
  people.delete(id);
  return newEvent('user.deleted.v1', { id });
};
/** The points that people had at the beginning. */
const revoke = (id: number) => {
  const person = personFor(id);
  const { points, checkedIn } = personOf(id);
  person.points -= points;
  person.checkedIn -= checkedIn;
  return newEvent('challenge.deleted.v1', { challengeId: id, revokesPoints: true });
};

it('follows points that two instances award and revoke concurrently (51, code 15)', async () => {
  const ids = Array.from({ length: 60 }, (_, n) => 30 + n * 40);
  const events = ids.map((id, n) => earn(id, 10_000 + n, (n % 7) * 6 + 1, { checkedIn: n % 2 === 0 }));
  await Promise.all(events.map((event, n) => [users, other][n % 2]?.deliver(event)));
  await expectCorrectPages(1);
  await expectCorrectPages(2);
  // Some of them have no points left.
  const revocations = [31, 701, 1_191, 2_001, 2_201].map(revoke);
  await Promise.all(revocations.map((event, n) => [users, other][n % 2]?.deliver(event)));
  await expectCorrectPages(1);
});

it('follows people who move to another town while they earn points (51, code 15)', async () => {
  await Promise.all([
    ...[4, 806, 1_102, 2_404].map((id) => moveTo(id, 'Buffalo')),
    moveTo(1_201, ''),
    ...[4, 806, 1_201].map((id) => other.deliver(earn(id, 20_000 + id, 17))),
  ]);
  await expectCorrectPages(1);
  await expectCorrectPages(2);
});

it('follows deletions, also in a month and a town (51, code 15)', async () => {
  await Promise.all([5, 6, 900, 2_402].map((id, n) => [users, other][n % 2]?.deliver(remove(id))));
  await expectCorrectPages(1);
  await expectCorrectPages(2);
  // An index outlives the people of a town.
  expect(JSON.stringify(await users.read('ranking_indexes'))).not.toMatch(/buffalo|queens/i);
});

it('continues a month’s pages after their last row (51, code 15)', async () => {
  const expected = rankingFor(1, 'all', 'month');
  // Of people without check-ins, which a cursor does not reveal.
  const page =
    1 + Math.ceil(expected.findIndex((id) => personFor(id).points === 5 && !personFor(id).checkedIn) / 10);
  const headers = { authorization: signToken({ sub: '1' }) };
  const response = await fetch(`${users.url}/api/leaderboard?period=month&page=${page}`, { headers });
  const [, next = ''] = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
  expect(next).toMatch(/cursor=5/);
  const following: unknown = await (await fetch(users.url + next, { headers })).json();
  expect(following).toMatchObject({
    page: page + 1,
    rows: expected.slice(page * 10, page * 10 + 10).map((id, index) => ({ id, rank: page * 10 + 1 + index })),
  });
});

describe('a process that dies before it has counted (51, code 15)', () => {
  /** Makes counts of some boards fail. */
  const failCounts = (boardIds: RegExp) =>
    failQueries(
      (query) =>
        query.model.modelName === 'RankingIndex' &&
        !!query.getUpdate() &&
        boardIds.test(String(query.getFilter()._id)),
    );
  /** Everything that waits to be counted. */
  const uncounted = async () => [
    ...(await users.read('profiles')).filter((stored) => stored.townUncounted || stored.appliedAwards),
    ...(await users.read('monthly_scores')).filter((stored) => stored.uncounted),
  ];

  it.each([
    ['month', /^month:[^:]+$/, 41],
    ['month of a town', /^month:.+:/, 1_141],
    ['town', /^town:/, 2_041],
  ])('leaves a completion in a %s to its next delivery, which publishes it once', async (_, boardIds, id) => {
    const event = earn(id, 30_000 + id, 300);
    const bringBack = failCounts(boardIds);
    await expect(users.deliver(event)).rejects.toThrow();
    expect(await uncounted()).toHaveLength(1);
    bringBack();
    await other.deliver(event);
    await expectCorrectPages(1);
    expect(await uncounted()).toEqual([]);
    const published = [...users.published, ...other.published].filter(
      ({ name, data }) => name === 'points.awarded.v1' && data.userId === id,
    );
    expect(published).toHaveLength(1);
  });

  it('leaves a completion to that person’s next one', async () => {
    const bringBack = failCounts(/^month:/);
    await expect(users.deliver(earn(1_043, 40_001, 250))).rejects.toThrow();
    bringBack();
    await users.deliver(earn(1_043, 40_002, 20));
    await expectCorrectPages(1);
    expect(await uncounted()).toEqual([]);
  });

  it.each([
    ['month', /^month:/, 45],
    ['town', /^town:/, 1_145],
  ])('leaves a deletion in a %s to its next delivery', async (_, boardIds, id) => {
    const event = remove(id);
    const bringBack = failCounts(boardIds);
    await expect(users.deliver(event)).rejects.toThrow();
    bringBack();
    await users.deliver(event);
    await expectCorrectPages(1);
  });

  it.each([
    ['month', /^month:.+:/, 48],
    ['town', /^town:/, 1_148],
  ])('leaves a move to another town, at the %s, to the next start', async (_, boardIds, id) => {
    const bringBack = failCounts(boardIds);
    await expect(moveTo(id, 'Buffalo')).rejects.toMatchObject({ status: 503 });
    bringBack();
    await (await startIsolatedUsers({}, { clock, of: users })).stop();
    await expectCorrectPages(1);
    expect(await uncounted()).toEqual([]);
  });
});

it('reads a ranking of few people with as many commands in a month and a town as among all (51, code 15)', async () => {
  const few = await startIsolatedUsers({}, { clock });
  for (const id of [1, 2, 3]) {
    await few.deliver(
      newEvent('user.registered.v1', { id, username: `person-${id}`, admin: false, version: 1 }),
    );
    await few.client(signToken({ sub: String(id) })).updateMe({ body: { city: 'Troy', state: 'NY' } });
    await few.deliver(
      newEvent('challenge.completed.v1', {
        ...{ participationId: id, challengeId: id, userId: id, creatorId: 9, points: id },
        completedAt: new Date(clock.now()).toISOString(),
      }),
    );
  }
  await few.settle();
  const costOf = async (scope: Scope, period: Period) => {
    few.commands.length = 0;
    const query = { scope, period, around: 'me' } as const;
    const { rows } = await few.client(signToken({ sub: '2' })).getLeaderboard({ query });
    expect(rows.map(({ id, rank }) => [id, rank])).toEqual([
      [3, 1],
      [2, 2],
      [1, 3],
    ]);
    return few.commands.length;
  };
  const usual = await costOf('all', 'all');
  expect(await costOf('all', 'month')).toBe(usual);
  // One more for the town.
  expect([await costOf('town', 'all'), await costOf('town', 'month')]).toEqual([usual + 1, usual + 1]);
  await few.stop();
});
