import { newEvent } from '@wayquest/platform/bus';
import { failQueries, holdQueries, type IsolatedService, signToken } from '@wayquest/testing';
import { startIsolatedUsers } from './isolated-users.ts';

let users: IsolatedService;
beforeAll(async () => {
  users = await startIsolatedUsers();
});
afterAll(() => users?.stop());

const account = (id: number, version: number, username = `person-${id}`) => ({
  id,
  username,
  admin: false,
  version,
});
const register = (id: number) => users.deliver(newEvent('user.registered.v1', account(id, 1)));
const publicUser = (id: number) => users.client().getUser({ params: { id } });
const completed = (userId: number, challengeId: number, points: number) =>
  newEvent('challenge.completed.v1', {
    participationId: challengeId,
    challengeId,
    userId,
    points,
    creatorId: 999_999,
    completedAt: new Date().toISOString(),
  });

describe('a username', () => {
  it('is the newest one in whatever order events arrive', async () => {
    const changed = (version: number, username: string) =>
      users.deliver(newEvent('user.account-changed.v1', account(101, version, username)));
    await changed(3, 'third');
    await register(101);
    await changed(2, 'second');
    expect(await publicUser(101)).toMatchObject({ username: 'third' });
    await changed(4, 'fourth');
    expect(await publicUser(101)).toMatchObject({ username: 'fourth' });
  });
});

describe('points', () => {
  const awardsOf = (userId: number) =>
    users.published.flatMap(({ name, data }) =>
      name === 'points.awarded.v1' && data.userId === userId ? [data.points] : [],
    );

  it('never decrease when awards are added concurrently', async () => {
    for (let person = 201; person <= 210; person++) {
      await register(person);
      const all = Array.from({ length: 12 }, (_, n) => completed(person, person * 100 + n, n + 1));
      await Promise.all(all.map(users.deliver));
      expect(await publicUser(person)).toMatchObject({ points: 78 });
      await users.settle();
      expect(awardsOf(person)).toEqual(awardsOf(person).toSorted((a, b) => a - b));
    }
  });

  it('are published once for a completion of which event and call are handled at the same time (code 14)', async () => {
    await register(351);
    // All have read that it is not published yet.
    const held = holdQueries('RevokedChallenge');
    const completion = completed(351, 3_511, 7);
    const handled = [1, 2, 3].map(() => users.deliver(completion));
    await held.waitFor(handled.length);
    held.release();
    await Promise.all(handled);
    await users.settle();
    expect(awardsOf(351)).toEqual([7]);
    expect(await publicUser(351)).toMatchObject({ points: 7 });
  });

  it('are published once by two instances that get event and call at the same time (51.6, code 14)', async () => {
    const other = await startIsolatedUsers({}, { of: users });
    await register(361);
    await users.settle();
    const completion = completed(361, 3_611, 7);
    // One has just stored the points, and not yet that they are published.
    const held = holdQueries((query) => query.model.modelName === 'Profile' && !!query.getUpdate(), 1);
    const first = users.deliver(completion);
    await held.waitFor(1);
    await other.deliver(completion);
    held.release();
    await first;
    await users.settle();
    await other.settle();
    const published = [...users.published, ...other.published].filter(
      ({ name, data }) => name === 'points.awarded.v1' && data.userId === 361,
    );
    expect(published).toHaveLength(1);
    expect(await publicUser(361)).toMatchObject({ points: 7 });
    await other.stop();
  });

  it('are not published again for a repeated completion', async () => {
    await register(301);
    const event = completed(301, 30_100, 7);
    await users.deliver(event);
    await users.settle();
    await users.deliver(event);
    await users.settle();
    expect(awardsOf(301)).toEqual([7]);
  });
});

describe('the leaderboard', () => {
  it('orders ties by user id, also among friends', async () => {
    const late = [430, 410, 440, 420];
    for (const id of late) {
      await register(id);
      await users.deliver(completed(id, id * 100, 90));
    }
    for (const other of [440, 420, 410]) {
      await users.deliver(newEvent('friend.accepted.v1', { requestId: other, userIds: [430, other] }));
    }
    const sorted = late.toSorted();
    const leaderboard = await users.client().getLeaderboard();
    expect(leaderboard.rows.slice(0, 4).map(({ id }) => id)).toEqual(sorted);
    expect(leaderboard.podium.map(({ id }) => id)).toEqual(sorted.slice(0, 3));
    const ofMonth = await users.client().getLeaderboard({ query: { period: 'month' } });
    expect(ofMonth.rows.flatMap(({ id }) => (late.includes(id) ? [id] : []))).toEqual(sorted);
    const token = signToken({ sub: '430' });
    const friends = await users.client(token).getLeaderboard({ query: { scope: 'friends' } });
    expect(friends.rows.map(({ id }) => id)).toEqual(sorted);
  });
});

describe('a town', () => {
  const rowsOf = async (userId: number) => {
    const { rows } = await users
      .client(signToken({ sub: String(userId) }))
      .getLeaderboard({ query: { scope: 'town', period: 'month' } });
    return rows.map(({ id }) => id);
  };

  it.each([
    ['the month', 'MonthlyScore', 401],
    ['the town', 'Profile', 411],
  ])(
    'gets the rankings of somebody whose move failed at %s, when the call is repeated (code 13)',
    async (_, model, id) => {
      await register(id);
      await users.deliver(completed(id, id * 10, 7));
      const client = users.client(signToken({ sub: String(id) }));
      const body = { city: 'Troy', state: `S${id}` };
      let isStored = false;
      const bringBack = failQueries((query) => {
        const isOfModel = !!query.getUpdate() && query.model.modelName === model;
        const fails = isStored && isOfModel;
        isStored ||= !!query.getUpdate() && query.model.modelName === 'Profile';
        return fails;
      });
      const move = () => client.updateMe({ body });
      await expect(move()).rejects.toMatchObject({ status: 503 });
      bringBack();
      await move();
      expect(await rowsOf(id)).toEqual([id]);
    },
  );
});
