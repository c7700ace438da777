import { newEvent } from '@wayquest/platform/bus';
import { type Network, newUser, startNetwork, type TestUser } from '@wayquest/testing';

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
