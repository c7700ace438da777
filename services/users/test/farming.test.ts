import type { Event } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken } from '@wayquest/testing';
import { startIsolatedUsers } from './isolated-users.ts';

const minutesMs = 60_000;
const daysMs = 24 * 60 * minutesMs;
const ago = (ms: number) => new Date(Date.now() - ms);

/** An award as the service stored it some time ago. */
const award = (
  userId: number,
  challengeId: number,
  creatorId: number,
  awardedAt: Date,
  soonAfterCreation = true,
) => ({
  ...{ _id: `${userId}:${challengeId}`, userId, challengeId, creatorId, points: 10, awardedAt },
  ...{
    pair: `${userId}:${creatorId}:long ago`,
    appliedAt: awardedAt,
    ...(soonAfterCreation && { soonAfterCreation }),
  },
});

const longAgo = [...Array(3).keys()].flatMap((n) => [
  award(71, 7_100 + n, 72, ago(31 * daysMs)),
  award(72, 7_200 + n, 71, ago(31 * daysMs)),
]);

let users: IsolatedService;
beforeAll(async () => {
  users = await startIsolatedUsers({ awards: longAgo });
});
afterAll(() => users?.stop());

const register = async (...ids: number[]) => {
  for (const id of ids)
    await users.deliver(
      newEvent('user.registered.v1', { id, username: `person-${id}`, admin: false, version: 1 }),
    );
};

let challenges = 0;
type Completed = Extract<Event, { name: 'challenge.completed.v1' }>;
/** A completion of a challenge that was created so many minutes before; null for an event without that time. */
const completion = (userId: number, creatorId: number, minutes: number | null = 2): Completed => {
  const challengeId = ++challenges;
  const createdAt = ago((minutes ?? 0) * minutesMs).toISOString();
  return newEvent('challenge.completed.v1', {
    ...{
      participationId: challengeId,
      challengeId,
      userId,
      points: 1,
      creatorId,
      completedAt: new Date().toISOString(),
    },
    ...(minutes !== null && { challenge: { name: `Walk ${challengeId}`, createdAt } }),
  });
};
const complete = async (times: number, ...args: Parameters<typeof completion>) => {
  for (let n = 0; n < times; n++) await users.deliver(completion(...args));
};
/** Both users complete so many of each other's challenges. */
const completeMutually = async (times: number, one: number, other: number, minutes?: number | null) => {
  await complete(times, one, other, minutes);
  await complete(times, other, one, minutes);
};

const admin = () => users.client(signToken({ sub: '1', admin: true }));
const flaggedOf = async (...ids: number[]) =>
  (await admin().listFlaggedAwards()).filter(({ userId }) => ids.includes(userId));
const pointsOf = async (id: number) => (await users.client().getUser({ params: { id } })).points;
const monthlyPointsOf = async (id: number) => {
  const token = signToken({ sub: String(id) });
  const query = { period: 'month', around: 'me' } as const;
  return (await users.client(token).getLeaderboard({ query })).rows.find((row) => row.id === id)?.points;
};
const pointsAndMonthlyPoints = async (...ids: number[]) =>
  Promise.all(ids.map(async (id) => [await pointsOf(id), await monthlyPointsOf(id)]));

describe('two accounts that only complete each other’s challenges, within minutes of their creation', () => {
  it('lose earlier and later points from each other in monthly rankings until a review', async () => {
    await register(11, 12);
    await complete(3, 11, 12);
    await complete(2, 12, 11);
    expect([await pointsAndMonthlyPoints(11, 12), await flaggedOf(11, 12)]).toEqual([
      [
        [3, 3],
        [2, 2],
      ],
      [],
    ]);
    await complete(1, 12, 11);
    expect(await pointsAndMonthlyPoints(11, 12)).toEqual([
      [3, undefined],
      [3, undefined],
    ]);
    const flagged = await flaggedOf(11, 12);
    expect(flagged.map(({ flagReason }) => flagReason)).toEqual(Array(6).fill('farming'));
    await users.settle();
    const decisions = users.published.flatMap(({ name, data }) =>
      name === 'points.decided.v1' && [11, 12].includes(data.userId) ? [data.decision] : [],
    );
    expect(decisions).toEqual(Array(6).fill('flag'));

    await complete(1, 11, 12);
    expect([await pointsAndMonthlyPoints(11), await flaggedOf(11)]).toMatchObject([
      [[4, undefined]],
      { length: 4 },
    ]);
    const [newest] = (await flaggedOf(11)).slice(-1);
    const { award: claimed } = await users
      .client(signToken({ sub: '11' }))
      .awardPoints({ body: { challengeId: newest?.challengeId ?? 0 } });
    expect(claimed).toMatchObject({ points: 1, outcome: 'flagged' });
    expect(JSON.stringify(users.published)).not.toContain('farming');
    const own = await fetch(`${users.url}/api/own-data/users?cursor=1`, {
      headers: { authorization: signToken({ sub: '11' }) },
    });
    expect(await own.text()).not.toMatch(/farming|soonAfterCreation/);
  });

  it('start over after an admin released all of them', async () => {
    await register(13, 14);
    await completeMutually(3, 13, 14);
    for (const { userId, challengeId } of await flaggedOf(13, 14))
      await admin().approveAward({ params: { userId, challengeId } });
    await complete(1, 13, 14);
    expect([await pointsAndMonthlyPoints(13, 14), await flaggedOf(13, 14)]).toEqual([
      [
        [4, 4],
        [3, 3],
      ],
      [],
    ]);
  });

  it('stay flagged after an admin withdrew some of them', async () => {
    await register(15, 16);
    await completeMutually(3, 15, 16);
    for (const { userId, challengeId } of await flaggedOf(15, 16))
      await admin().revokeAward({ params: { userId, challengeId }, body: { reason: 'Farmed' } });
    expect(await pointsAndMonthlyPoints(15, 16)).toEqual([
      [0, undefined],
      [0, undefined],
    ]);
    await complete(1, 16, 15);
    expect([await pointsAndMonthlyPoints(16), await flaggedOf(16)]).toMatchObject([
      [[1, undefined]],
      [{ flagReason: 'farming' }],
    ]);
  });

  it('are also detected if all completions are concurrent', async () => {
    for (let one = 300; one < 308; one += 2) {
      await register(one, one + 1);
      const all = [1, 2, 3].flatMap(() => [completion(one, one + 1), completion(one + 1, one)]);
      await Promise.all(all.map((event) => users.deliver(event)));
      expect([await pointsAndMonthlyPoints(one, one + 1), await flaggedOf(one, one + 1)]).toMatchObject([
        [
          [3, undefined],
          [3, undefined],
        ],
        { length: 6 },
      ]);
    }
  });
});

describe('farming', () => {
  let next = 100;
  /** Registers two users and a third one. */
  const newcomers = async () => {
    const ids = [++next, ++next, ++next] as const;
    await register(...ids);
    return ids;
  };

  it.each<[string, number, (one: number, other: number, third: number) => Promise<void>]>([
    [
      'is detected if one of the two also completed one other challenge',
      8,
      async (one, other, third) => {
        await complete(1, one, third);
        await complete(4, one, other);
        await complete(4, other, one);
      },
    ],
    [
      'is detected if a few completions were not soon after the creation',
      8,
      async (one, other) => {
        await completeMutually(1, one, other, 11);
        await completeMutually(3, one, other);
      },
    ],
    [
      'is detected if challenges are created just under ten minutes before',
      6,
      (one, other) => completeMutually(3, one, other, 9.99),
    ],
    [
      'is not detected if one of the two completes a larger part elsewhere',
      0,
      async (one, other, third) => {
        await complete(1, one, third);
        await completeMutually(3, one, other);
      },
    ],
    [
      'is not detected if challenges are completed an hour later',
      0,
      (one, other) => completeMutually(5, one, other, 60),
    ],
    [
      'is not detected if half of the challenges are completed later',
      0,
      async (one, other) => {
        await completeMutually(2, one, other, 11);
        await completeMutually(2, one, other);
      },
    ],
    ['is not detected for two challenges each', 0, (one, other) => completeMutually(2, one, other)],
    [
      'is not detected if only one of the two completes the other’s challenges',
      0,
      async (one, other, third) => {
        await complete(5, one, other);
        await complete(5, other, third);
      },
    ],
    [
      'is not detected for events of older versions, without the time of creation',
      0,
      (one, other) => completeMutually(5, one, other, null),
    ],
  ])('%s', async (_, count, act) => {
    const [one, other, third] = await newcomers();
    await act(one, other, third);
    const flagged = await flaggedOf(one, other, third);
    expect(flagged).toHaveLength(count);
    expect(new Set(flagged.map(({ creatorId }) => creatorId)).has(third)).toBe(false);
  });

  it('is not detected for completions more than thirty days ago', async () => {
    await register(71, 72);
    await completeMutually(2, 71, 72);
    expect(await flaggedOf(71, 72)).toEqual([]);
    await completeMutually(1, 71, 72);
    const thirtyDaysAgo = Date.now() - daysMs;
    expect((await flaggedOf(71, 72)).map(({ awardedAt }) => Date.parse(awardedAt) > thirtyDaysAgo)).toEqual(
      Array(6).fill(true),
    );
  });
});

describe('the number of store commands', () => {
  const costOf = async (...args: Parameters<typeof completion>): Promise<number> => {
    await users.settle();
    users.commands.length = 0;
    await users.deliver(completion(...args));
    await users.settle();
    return users.commands.length;
  };

  it('is zero for older challenges, and one read otherwise', async () => {
    await register(81, 82, 83);
    await complete(2, 81, 82, 60);
    const usual = await costOf(81, 82, 60);
    expect(await costOf(81, 83, 2)).toBe(usual + 1);
  });

  it('does not grow with the number of completions', async () => {
    await register(91, 92);
    await completeMutually(3, 91, 92);
    const early = await costOf(91, 92);
    await complete(100, 91, 92);
    expect(await costOf(91, 92)).toBe(early);
    for (const { command } of users.commands)
      if (command.find === 'awards' && command.filter.creatorId)
        expect(command.limit).toBeLessThanOrEqual(100);
    expect(await monthlyPointsOf(91)).toBeUndefined();
  });
});
