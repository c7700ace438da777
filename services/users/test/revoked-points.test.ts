import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken } from '@wayquest/testing';
import { startIsolatedUsers } from './isolated-users.ts';

let users: IsolatedService;
beforeAll(async () => {
  users = await startIsolatedUsers();
});
afterAll(() => users?.stop());

const register = (id: number) =>
  users.deliver(newEvent('user.registered.v1', { id, username: `person-${id}`, admin: false, version: 1 }));
const completed = (userId: number, challengeId: number, points: number, creatorId = 999_999) =>
  newEvent('challenge.completed.v1', {
    ...{ participationId: challengeId, challengeId, userId, points, creatorId },
    completedAt: new Date().toISOString(),
  });
const deletion = (challengeId: number) =>
  newEvent('challenge.deleted.v1', { challengeId, revokesPoints: true });
const pointsOf = async (id: number) => (await users.client().getUser({ params: { id: String(id) } })).points;
const month = { period: 'month' } as const;
const ofMonth = async (id: number) => {
  const { rows } = await users.client().getLeaderboard({ query: month });
  return rows.find((row) => row.id === id)?.points;
};
const toldOf = (userId: number) =>
  users.published.flatMap(({ name, data }) =>
    (name === 'points.awarded.v1' || name === 'points.revoked.v1') && data.userId === userId
      ? [[name, data.points, data.pointsVersion]]
      : [],
  );
const admin = () => users.client(signToken({ sub: '1', admin: true }));

describe('points of a challenge that is deleted with them', () => {
  it('count in no leaderboard, are published as revoked, and cannot be claimed; others remain', async () => {
    await register(11);
    await users.deliver(completed(11, 110, 40));
    await users.deliver(completed(11, 111, 2));
    expect([await pointsOf(11), await ofMonth(11)]).toEqual([42, 42]);
    await users.deliver(newEvent('challenge.deleted.v1', { challengeId: 111 }));
    await users.deliver(deletion(110));
    expect([await pointsOf(11), await ofMonth(11)]).toEqual([2, 2]);
    await users.settle();
    expect(toldOf(11)).toEqual([
      ['points.awarded.v1', 40, 1],
      ['points.awarded.v1', 42, 2],
      ['points.revoked.v1', 2, 3],
    ]);
    const { award, points } = await users
      .client(signToken({ sub: '11' }))
      .awardPoints({ body: { challengeId: 110 } });
    expect(award).toMatchObject({ points: 0, outcome: 'removed' });
    expect(points).toBe(2);
    await users.deliver(deletion(110));
    await users.settle();
    expect(toldOf(11)).toHaveLength(3);
  });

  it('are zero if the completion arrives later', async () => {
    await register(12);
    await users.deliver(deletion(120));
    await users.deliver(completed(12, 120, 40));
    await users.settle();
    expect([await pointsOf(12), await ofMonth(12)]).toEqual([0, undefined]);
  });

  it('are zero for a user whose profile has not arrived', async () => {
    await users.deliver(completed(13, 130, 40));
    await users.deliver(completed(13, 131, 3));
    await users.deliver(deletion(130));
    await register(13);
    expect([await pointsOf(13), await ofMonth(13)]).toEqual([3, 3]);
  });

  it('are correct if completions and deletions are concurrent', async () => {
    for (let id = 200; id < 210; id++) {
      await register(id);
      const all = Array.from({ length: 8 }, (_, n) => [completed(id, id * 10 + n, 10 + n), n] as const);
      await Promise.all(
        all.flatMap(([event, n]) =>
          n % 2 ? [users.deliver(deletion(id * 10 + n)), users.deliver(event)] : [users.deliver(event)],
        ),
      );
      const owed = 10 + 12 + 14 + 16;
      expect(await pointsOf(id)).toBe(owed);
      await users.settle();
      expect(toldOf(id).at(-1)?.[1]).toBe(owed);
    }
    const { rows } = await users.client().getLeaderboard({ query: month });
    expect(new Set(rows.map(({ points }) => points))).toEqual(new Set([52]));
  });

  it('update the leaderboard at any rank', async () => {
    for (const id of [31, 32]) await register(id);
    await users.deliver(completed(31, 310, 90, 33));
    await users.deliver(completed(32, 320, 80, 33));
    await users.settle();
    const firstTwo = async () =>
      (await users.client().getLeaderboard()).podium.slice(0, 2).map(({ id }) => id);
    expect(await firstTwo()).toEqual([31, 32]);
    await users.deliver(deletion(310));
    await users.settle();
    expect((await firstTwo())[0]).toBe(32);
  });
});

describe('points of two users from each other’s challenges', () => {
  it('count up to 300 points a day this month, in both directions together, and the rest after a review', async () => {
    for (const id of [41, 42]) await register(id);
    for (let n = 0; n < 3; n++) {
      await users.deliver(completed(41, 4_100 + n, 75, 42));
      await users.deliver(completed(42, 4_200 + n, 75, 41));
    }
    // Points from another user count separately.
    await users.deliver(completed(41, 4_300, 75, 43));
    expect([await pointsOf(41), await pointsOf(42)]).toEqual([300, 225]);
    expect([await ofMonth(41), await ofMonth(42)]).toEqual([225, 150]);

    await expect(users.client(signToken({ sub: '41' })).listFlaggedAwards()).rejects.toMatchObject({
      problem: { code: 'admins-only' },
    });
    const flagged = await admin().listFlaggedAwards();
    expect(
      flagged.map(({ userId, challengeId, points, flagReason }) => [userId, challengeId, points, flagReason]),
    ).toEqual([
      [41, 4_102, 75, 'pair'],
      [42, 4_202, 75, 'pair'],
    ]);
    const params = { userId: '41', challengeId: '4102' };
    await admin().approveAward({ params });
    expect(await ofMonth(41)).toBe(300);
    expect((await admin().listFlaggedAwards()).map(({ userId }) => userId)).toEqual([42]);
    await expect(admin().approveAward({ params })).rejects.toMatchObject({ status: 404 });
    // A repeated event does not change the decision.
    await users.deliver(completed(41, 4_102, 75, 42));
    expect(await ofMonth(41)).toBe(300);
  });
});
