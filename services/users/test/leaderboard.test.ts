import { newEvent } from '@wayquest/platform/bus';
import { type Network, newUser, signToken, startNetwork, type TestUser } from '@wayquest/testing';
import { startUsersAlone } from './users-alone.ts';

let network: Network;
const people: TestUser[] = [];

const earn = (user: TestUser, points: number, n = points) =>
  network.bus.publish(
    newEvent('challenge.completed.v1', {
      lineId: user.me.id * 1_000 + n,
      challengeId: user.me.id * 1_000 + n,
      userId: user.me.id,
      points,
      creatorId: 999_999,
      completedAt: new Date().toISOString(),
    }),
  );

beforeAll(async () => {
  network = await startNetwork();
  for (let n = 0; n < 23; n++) people.push(await newUser(network));
  // The first has most; the last two have none.
  for (const [index, person] of people.slice(0, 21).entries()) await earn(person, 90 - index);
  await network.settle();
});
afterAll(() => network?.stop());

it('ranks by points, ten a page, the rank going on across pages, the podium on every page', async () => {
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

it('answers the last page for one past the end', async () => {
  expect(await network.client().getLeaderboard({ query: { page: 99 } })).toMatchObject({ page: 3 });
});

it('ranks friends and oneself for a member, and asks nobody’s friends to log in', async () => {
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

it('ranks who says to live in the same town, of all time and this month, and follows who moves', async () => {
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

it('finds the town of who has said theirs to an older version', async () => {
  const month = new Date().toISOString().slice(0, 7);
  const profile = (id: number, city: string) => ({
    ...{ _id: id, version: 1, username: `person-${id}`, admin: false, accountVersion: 1, words: ['person'] },
    ...{ firstName: '', lastName: '', streetAddress: '', city, state: 'NY', zip: '', email: '' },
    ...{ avatar: `explorer-${id}.svg`, points: id },
  });
  const users = await startUsersAlone({
    profiles: [profile(5, 'Queens'), profile(7, 'Queens'), profile(9, 'Buffalo')],
    months: [{ _id: `${month}:5`, month, userId: 5, points: 3 }],
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

describe('the board of the month', () => {
  it('counts what was completed of others’ making since it began, and nothing else', async () => {
    const [first, second] = people;
    const own = await newUser(network);
    if (!first || !second) throw new Error('too few people');
    const ofTheirOwn = { creatorId: own.me.id, userId: own.me.id, points: 100, lineId: 7, challengeId: 7 };
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

  it('goes on where its pages say, and forgets the months before', async () => {
    const ids: number[] = [];
    for (let next: string | undefined = '/api/leaderboard?period=month'; next; ) {
      const response: Response = await fetch(network.url + next);
      const { rows }: { rows: { id: number }[] } = await response.json();
      ids.push(...rows.map(({ id }) => id));
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(ids).toEqual(people.slice(0, 21).map(({ me }) => me.id));

    const users = await startUsersAlone({
      months: [{ _id: '2020-01:7', month: '2020-01', userId: 7, points: 50 }],
    });
    expect(await users.client().getLeaderboard({ query: { period: 'month' } })).toMatchObject({
      rows: [],
      total: 0,
    });
    await users.stop();
  });
});
