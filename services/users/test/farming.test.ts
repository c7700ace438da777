import type { Event } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken } from '@wayquest/testing';
import { startUsersAlone } from './users-alone.ts';

const minutesMs = 60_000;
const daysMs = 24 * 60 * minutesMs;
const ago = (ms: number) => new Date(Date.now() - ms);

/** What a version of this one wrote down some time ago. */
const award = (userId: number, challengeId: number, creatorId: number, awardedAt: Date, quick = true) => ({
  ...{ _id: `${userId}:${challengeId}`, userId, challengeId, creatorId, points: 10, awardedAt },
  ...{ pair: `${userId}:${creatorId}:long ago`, appliedAt: awardedAt, ...(quick && { quick }) },
});

const longAgo = [...Array(3).keys()].flatMap((n) => [
  award(71, 7_100 + n, 72, ago(31 * daysMs)),
  award(72, 7_200 + n, 71, ago(31 * daysMs)),
]);

let users: IsolatedService;
beforeAll(async () => {
  users = await startUsersAlone({ awards: longAgo });
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
/** Somebody's completion of a challenge that somebody else made so many minutes before. */
const completion = (userId: number, creatorId: number, minutes: number | null = 2): Completed => {
  const challengeId = ++challenges;
  const createdAt = ago((minutes ?? 0) * minutesMs).toISOString();
  return newEvent('challenge.completed.v1', {
    ...{
      lineId: challengeId,
      challengeId,
      userId,
      points: 1,
      creatorId,
      completedAt: new Date().toISOString(),
    },
    ...(minutes !== null && { challenge: { name: `Walk ${challengeId}`, createdAt } }),
  });
};
const complete = async (times: number, ...which: Parameters<typeof completion>) => {
  for (let n = 0; n < times; n++) await users.deliver(completion(...which));
};
/** Both complete as many of each other's. */
const each = async (times: number, one: number, other: number, minutes?: number | null) => {
  await complete(times, one, other, minutes);
  await complete(times, other, one, minutes);
};

const admin = () => users.client(signToken({ sub: '1', admin: true }));
const flaggedAwardsOf = async (...ids: number[]) =>
  (await admin().listFlaggedAwards()).filter(({ userId }) => ids.includes(userId));
const pointsOf = async (id: number) => (await users.client().getUser({ params: { id } })).points;
const ofMonth = async (id: number) => {
  const token = signToken({ sub: String(id) });
  const query = { period: 'month', around: 'me' } as const;
  return (await users.client(token).getLeaderboard({ query })).rows.find((row) => row.id === id)?.points;
};
const standing = async (...ids: number[]) =>
  Promise.all(ids.map(async (id) => [await pointsOf(id), await ofMonth(id)]));

describe('two accounts that only complete each other’s challenges, within minutes of their creation', () => {
  it('lose the points from each other in monthly rankings, earlier and later ones, and are logged', async () => {
    await register(11, 12);
    await complete(3, 11, 12);
    await complete(2, 12, 11);
    expect([await standing(11, 12), await flaggedAwardsOf(11, 12)]).toEqual([
      [
        [3, 3],
        [2, 2],
      ],
      [],
    ]);
    await complete(1, 12, 11);
    expect(await standing(11, 12)).toEqual([
      [3, undefined],
      [3, undefined],
    ]);
    const flagged = await flaggedAwardsOf(11, 12);
    expect(flagged.map(({ flagReason }) => flagReason)).toEqual(Array(6).fill('farming'));
    await users.settle();
    const told = users.told.flatMap(({ name, data }) =>
      name === 'points.decided.v1' && [11, 12].includes(data.userId) ? [data.decision] : [],
    );
    expect(told).toEqual(Array(6).fill('flag'));

    await complete(1, 11, 12);
    expect([await standing(11), await flaggedAwardsOf(11)]).toMatchObject([[[4, undefined]], { length: 4 }]);
    const [newest] = (await flaggedAwardsOf(11)).slice(-1);
    const { award: claimed } = await users
      .client(signToken({ sub: '11' }))
      .awardPoints({ body: { challengeId: newest?.challengeId ?? 0 } });
    expect(claimed).toMatchObject({ points: 1, outcome: 'waits' });
    expect(JSON.stringify(users.told)).not.toContain('farming');
    const own = await fetch(`${users.url}/api/own-data/users?cursor=1`, {
      headers: { authorization: signToken({ sub: '11' }) },
    });
    expect(await own.text()).not.toMatch(/farming|quick/);
  });

  it('start over after an admin released all of them', async () => {
    await register(13, 14);
    await each(3, 13, 14);
    for (const { userId, challengeId } of await flaggedAwardsOf(13, 14))
      await admin().approveAward({ params: { userId, challengeId } });
    await complete(1, 13, 14);
    expect([await standing(13, 14), await flaggedAwardsOf(13, 14)]).toEqual([
      [
        [4, 4],
        [3, 3],
      ],
      [],
    ]);
  });

  it('stay flagged after an admin withdrew some of them', async () => {
    await register(15, 16);
    await each(3, 15, 16);
    for (const { userId, challengeId } of await flaggedAwardsOf(15, 16))
      await admin().revokeAward({ params: { userId, challengeId }, body: { reason: 'Farmed' } });
    expect(await standing(15, 16)).toEqual([
      [0, undefined],
      [0, undefined],
    ]);
    await complete(1, 16, 15);
    expect([await standing(16), await flaggedAwardsOf(16)]).toMatchObject([
      [[1, undefined]],
      [{ flagReason: 'farming' }],
    ]);
  });

  it('are also found if all completions are concurrent', async () => {
    for (let one = 300; one < 308; one += 2) {
      await register(one, one + 1);
      const all = [1, 2, 3].flatMap(() => [completion(one, one + 1), completion(one + 1, one)]);
      await Promise.all(all.map((event) => users.deliver(event)));
      expect([await standing(one, one + 1), await flaggedAwardsOf(one, one + 1)]).toMatchObject([
        [
          [3, undefined],
          [3, undefined],
        ],
        { length: 6 },
      ]);
    }
  });
});

describe('who is found', () => {
  let next = 100;
  /** Two people, and others who make and complete challenges. */
  const newcomers = async () => {
    const ids = [++next, ++next, ++next] as const;
    await register(...ids);
    return ids;
  };

  it.each<[string, number, (one: number, other: number, third: number) => Promise<void>]>([
    [
      'two of whom one did little else',
      8,
      async (one, other, third) => {
        await complete(1, one, third);
        await complete(4, one, other);
        await complete(4, other, one);
      },
    ],
    [
      'two who took their time with some',
      8,
      async (one, other) => {
        await each(1, one, other, 11);
        await each(3, one, other);
      },
    ],
    ['two who make a challenge ten minutes before', 6, (one, other) => each(3, one, other, 9.99)],
    [
      'nobody who also does what others make',
      0,
      async (one, other, third) => {
        await complete(1, one, third);
        await each(3, one, other);
      },
    ],
    ['no friends who come an hour later', 0, (one, other) => each(5, one, other, 60)],
    [
      'no friends half of whose are done later',
      0,
      async (one, other) => {
        await each(2, one, other, 11);
        await each(2, one, other);
      },
    ],
    ['nobody who does it twice', 0, (one, other) => each(2, one, other)],
    [
      'nobody by what one alone does',
      0,
      async (one, other, third) => {
        await complete(5, one, other);
        await complete(5, other, third);
      },
    ],
    ['nobody by what older versions told', 0, (one, other) => each(5, one, other, null)],
  ])('%s', async (_, count, act) => {
    const [one, other, third] = await newcomers();
    await act(one, other, third);
    const flagged = await flaggedAwardsOf(one, other, third);
    expect(flagged).toHaveLength(count);
    expect(new Set(flagged.map(({ creatorId }) => creatorId)).has(third)).toBe(false);
  });

  it('ignores what is more than thirty days ago', async () => {
    await register(71, 72);
    await each(2, 71, 72);
    expect(await flaggedAwardsOf(71, 72)).toEqual([]);
    await each(1, 71, 72);
    const thirtyDaysAgo = Date.now() - daysMs;
    expect(
      (await flaggedAwardsOf(71, 72)).map(({ awardedAt }) => Date.parse(awardedAt) > thirtyDaysAgo),
    ).toEqual(Array(6).fill(true));
  });
});

describe('the number of store commands', () => {
  const costOf = async (...which: Parameters<typeof completion>): Promise<number> => {
    await users.settle();
    users.commands.length = 0;
    await users.deliver(completion(...which));
    await users.settle();
    return users.commands.length;
  };

  it('is zero for older challenges, and one read otherwise', async () => {
    await register(81, 82, 83);
    await complete(2, 81, 82, 60);
    const usual = await costOf(81, 82, 60);
    expect(await costOf(81, 83, 2)).toBe(usual + 1);
  });

  it('is the same for the hundredth time as for the tenth', async () => {
    await register(91, 92);
    await each(3, 91, 92);
    const early = await costOf(91, 92);
    await complete(100, 91, 92);
    expect(await costOf(91, 92)).toBe(early);
    for (const { command } of users.commands)
      if (command.find === 'awards' && command.filter.creatorId)
        expect(command.limit).toBeLessThanOrEqual(100);
    expect(await ofMonth(91)).toBeUndefined();
  });
});
