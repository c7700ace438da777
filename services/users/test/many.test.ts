import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken } from '@wayquest/testing';
import { startIsolatedUsers } from './isolated-users.ts';

const userCount = 1_605;

/** Two thirds of the users have no points; several of the others have the same. */
const pointsOf = (id: number) => (id % 3 ? 0 : (id * 7) % 400);

const profile = (id: number) => ({
  ...{ _id: id, version: 1, username: `person-${id}`, admin: false, accountVersion: 1, points: pointsOf(id) },
  ...{ firstName: '', lastName: '', streetAddress: '', city: '', state: '', zip: '', email: '' },
  ...{ avatar: `explorer-${id}.svg`, outbox: [] },
  // The first ones were stored by a version without search tokens.
  ...(id > 20 && { words: ['person', String(id)] }),
});

const pointsById = new Map(Array.from({ length: userCount }, (_, index) => [index + 1, pointsOf(index + 1)]));
const ranking = () =>
  [...pointsById]
    .sort(([id, points], [other, otherPoints]) => otherPoints - points || id - other)
    .map(([id]) => id);

let users: IsolatedService;
beforeAll(async () => {
  users = await startIsolatedUsers({ profiles: [...pointsById.keys()].map(profile) });
});
afterAll(() => users?.stop());

const member = () => users.client(signToken({ sub: '1', username: 'person-1' }));
const page = (n: number) => member().getLeaderboard({ query: { page: n } });
const register = (id: number) => {
  pointsById.set(id, 0);
  return users.deliver(
    newEvent('user.registered.v1', { id, username: `person-${id}`, admin: false, version: 1 }),
  );
};
const earn = (userId: number, challengeId: number, points: number) => {
  pointsById.set(userId, (pointsById.get(userId) ?? 0) + points);
  const ids = { participationId: challengeId, challengeId, userId, creatorId: 999_999 };
  return users.deliver(
    newEvent('challenge.completed.v1', { ...ids, points, completedAt: new Date().toISOString() }),
  );
};

/** Checks every fifth page, and the last one. */
async function expectCorrectPages() {
  await users.settle();
  const expected = ranking().map((id, index) => ({ id, rank: index + 1 }));
  const pages = Math.ceil(expected.length / 10);
  for (const n of [...Array.from({ length: pages / 5 }, (_, fifth) => 1 + fifth * 5), pages]) {
    const { rows, total } = await page(n);
    expect(rows.map(({ id, rank }) => ({ id, rank }))).toEqual(expected.slice(n * 10 - 10, n * 10));
    expect(total).toBe(expected.length);
  }
}

it('ranks users of a store without an index', expectCorrectPages);

it('finds users by indexed tokens in pages, also those of an older version', async () => {
  const find = async (query: { search: string; limit?: number }) => {
    users.commands.length = 0;
    const found = await users.client().listUsers({ query });
    expect(users.commands.length).toBeLessThanOrEqual(3);
    return found.map(({ id }) => id);
  };
  expect(await find({ search: 'perso', limit: 3 })).toEqual([1, 2, 3]);
  expect(await find({ search: 'PERSON-17', limit: 2 })).toEqual([17, 170]);
  expect(await find({ search: 'erson' })).toEqual([]);
});

const revokePointsOf = (challengeId: number, userId: number, points: number) => {
  pointsById.set(userId, (pointsById.get(userId) ?? 0) - points);
  return users.deliver(newEvent('challenge.deleted.v1', { challengeId, revokesPoints: true }));
};

it('stays correct while users sign up and earn points concurrently', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, n) => register(10_000 + n)));
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => [
      earn(10_000 + n, 1 + n, 5),
      earn(10_000 + n, 100 + n, n * 20 + 1),
    ]).flat(),
  );
  await expectCorrectPages();
});

it('stays correct while many points are withdrawn concurrently', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, n) => revokePointsOf(100 + n, 10_000 + n, n * 20 + 1)));
  await expectCorrectPages();
});

it('returns any page, and the page of a user, with at most eight commands that skip fewer than 1,000 entries', async () => {
  const userId = ranking()[1_500] ?? 0;
  const token = signToken({ sub: String(userId) });
  for (const getPage of [
    () => page(1),
    () => page(150),
    () => users.client(token).getLeaderboard({ query: { around: 'me' } }),
  ]) {
    await users.settle();
    users.commands.length = 0;
    const { rows } = await getPage();
    expect(rows).toHaveLength(10);
    expect(users.commands.length).toBeLessThanOrEqual(8);
    for (const { command } of users.commands) expect(command.skip ?? 0).toBeLessThan(1_000);
  }
});

it('returns the page of a user', async () => {
  const expected = ranking();
  const userId = expected[1_234] ?? 0;
  const token = signToken({ sub: String(userId) });
  const { page: found, rows } = await users.client(token).getLeaderboard({ query: { around: 'me' } });
  expect(found).toBe(124);
  expect(rows.map(({ id }) => id)).toEqual(expected.slice(1_230, 1_240));
  await expect(users.client().getLeaderboard({ query: { around: 'me' } })).rejects.toMatchObject({
    status: 401,
  });
});

it('continues at the right user with a page’s Link header if ranks changed in between', async () => {
  const expected = ranking();
  const first = await fetch(`${users.url}/api/leaderboard?page=90`);
  const [, next = ''] = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
  // A new user overtakes all of them.
  await register(20_000);
  await earn(20_000, 1_000, 99_999);
  await users.settle();
  const second: unknown = await (await fetch(users.url + next)).json();
  expect(second).toMatchObject({
    page: 91,
    rows: expected.slice(900, 910).map((id, index) => ({ id, rank: 902 + index })),
  });
});

it('lets visitors page through a thousand users, and members through all', async () => {
  const after = (cursor: number) => ({ query: { cursor: String(cursor), limit: 1 } });
  expect(await users.client().listUsers(after(999))).toMatchObject([{ id: 1_000 }]);
  await expect(users.client().listUsers(after(1_000))).rejects.toMatchObject({
    problem: { code: 'unauthenticated', detail: 'Please log in to see more people.' },
  });
  expect(await member().listUsers(after(1_000))).toMatchObject([{ id: 1_001 }]);

  const last = { query: { page: 9_999 } };
  expect(await users.client().getLeaderboard(last)).toMatchObject({ page: 100, pages: 100 });
  const all = Math.ceil(pointsById.size / 10);
  expect(await member().getLeaderboard(last)).toMatchObject({ page: all, pages: all });
  const from = { query: { cursor: '0:1500' } };
  await expect(users.client().getLeaderboard(from)).rejects.toMatchObject({
    problem: { code: 'unauthenticated' },
  });
  expect((await member().getLeaderboard(from)).rows).not.toEqual([]);
});
