import { CallError, type Event } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import {
  complete,
  type Network,
  newChallenge,
  newUser,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';

let network: Network;
const published: Event[] = [];
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'challenges', 'participation', 'moderation'] });
  const { publish } = network.bus;
  network.bus.publish = (event, options) => {
    published.push(event);
    return publish(event, options);
  };
});
afterAll(() => network?.stop());

async function joined(user: TestUser, changes: Parameters<typeof newChallenge>[1] = {}) {
  const challenge = await newChallenge(await newUser(network), changes);
  const participation = await user.client.joinChallenge({ body: { challengeId: challenge.id } });
  return {
    challenge,
    participation,
    complete: () =>
      user.client.updateParticipation({ params: { id: participation.id }, body: { completed: true } }),
  };
}

const pointsOf = async (user: TestUser) => (await user.client.getMe()).points;

describe('the points of a completed challenge', () => {
  it('are awarded by the event without a call', async () => {
    const bob = await newUser(network);
    const { complete } = await joined(bob, { points: 40 });
    await complete();
    await network.settle();
    expect(await pointsOf(bob)).toBe(40);
  });

  it('are awarded once if the call arrives before the event', async () => {
    const bob = await newUser(network);
    const { challenge, complete } = await joined(bob, { points: 40 });
    await complete();
    const response = await bob.client.awardPoints({ body: challenge });
    expect(response).toMatchObject({
      id: bob.me.id,
      points: 40,
      award: { challengeId: challenge.id, points: 40, awardedAt: expect.stringMatching(/Z$/) },
    });
    expect((await bob.client.awardPoints({ body: { challengeId: challenge.id } })).points).toBe(40);
    await network.settle();
    expect(await pointsOf(bob)).toBe(40);
  });

  it('are those of the challenge, not of the request body', async () => {
    const bob = await newUser(network);
    const { challenge, complete } = await joined(bob, { points: 5 });
    await complete();
    expect(
      (await bob.client.awardPoints({ body: { ...challenge, points: 100_000 } as { id: number } })).points,
    ).toBe(5);
  });

  it('are rejected for a participation that is not completed, not one’s own, or missing', async () => {
    const bob = await newUser(network);
    const eve = await newUser(network);
    const { challenge, complete } = await joined(bob);
    for (const body of [{ challengeId: challenge.id }, { challengeId: 999_999 }]) {
      await expect(bob.client.awardPoints({ body })).rejects.toMatchObject({
        problem: { code: 'not-completed' },
      });
    }
    await complete();
    await expect(eve.client.awardPoints({ body: { challengeId: challenge.id } })).rejects.toMatchObject({
      status: 409,
    });
    expect(await pointsOf(eve)).toBe(0);
  });

  it('remain after an admin removed the participation, and are not earned again', async () => {
    const bob = await newUser(network);
    const { challenge, participation, complete } = await joined(bob, { points: 12 });
    await complete();
    await network.settle();
    const admin = network.client(network.signToken({ sub: '900003', admin: true }));
    await admin.leaveChallenge({ params: { id: participation.id } });
    const again = await bob.client.joinChallenge({ body: { challengeId: challenge.id } });
    await bob.client.updateParticipation({ params: { id: again.id }, body: { completed: true } });
    await network.settle();
    expect((await bob.client.awardPoints({ body: { challengeId: challenge.id } })).points).toBe(12);
  });

  it('are published with the version of their total, also when the profile changes later', async () => {
    const bob = await newUser(network);
    const { complete } = await joined(bob, { points: 40 });
    await complete();
    await network.settle();
    await bob.client.updateMe({ body: { firstName: 'Bob' } });
    await network.settle();
    const [awarded] = published.flatMap(({ name, data }) =>
      name === 'points.awarded.v1' && data.userId === bob.me.id ? [data.pointsVersion] : [],
    );
    const ofProfile = published.flatMap(({ name, data }) =>
      name === 'user.profile-changed.v1' && data.user.id === bob.me.id ? [data.pointsVersion] : [],
    );
    expect(awarded).toBeGreaterThan(0);
    expect([ofProfile[0], ofProfile.at(-1)]).toEqual([0, awarded]);
  });

  it('are the same for concurrent duplicates of the event', async () => {
    const bob = await newUser(network);
    const completed = newEvent('challenge.completed.v1', {
      participationId: 7_000_001,
      challengeId: 7_000_001,
      userId: bob.me.id,
      points: 33,
      creatorId: 7_000_002,
      completedAt: new Date().toISOString(),
    });
    await Promise.all(Array.from({ length: 20 }, () => network.bus.publish(completed)));
    expect(await pointsOf(bob)).toBe(33);
  });
});

describe('awards', () => {
  const completions = (userId: number) =>
    Array.from({ length: 12 }, (_, n) =>
      newEvent('challenge.completed.v1', {
        participationId: userId * 100 + n,
        challengeId: 8_000_000 + userId * 100 + n,
        userId,
        points: n + 1,
        creatorId: 7_000_002,
        completedAt: new Date().toISOString(),
      }),
    );
  const awardsOf = (userId: number) =>
    published.flatMap((event) =>
      event.name === 'points.awarded.v1' && event.data.userId === userId ? [event.data] : [],
    );

  it('are each published, with increasing totals, if many are concurrent', async () => {
    const bob = await newUser(network);
    const completed = completions(bob.me.id);
    await Promise.all(completed.map((event) => network.bus.publish(event)));
    await network.settle();
    const awards = awardsOf(bob.me.id);
    const awardedFor = new Map(awards.map(({ challengeId, awarded }) => [challengeId, awarded]));
    expect(awardedFor).toEqual(new Map(completed.map(({ data }) => [data.challengeId, data.points])));
    const totals = awards.map(({ points }) => points);
    expect(totals).toEqual([...totals].sort((a, b) => a - b));
    expect(totals.at(-1)).toBe(78);
    expect(await pointsOf(bob)).toBe(78);
  });

  it('are published once for repeated completions', async () => {
    const bob = await newUser(network);
    for (const event of completions(bob.me.id)) {
      await network.bus.publish(event);
      await network.bus.publish(event);
    }
    await network.settle();
    expect(awardsOf(bob.me.id).map(({ points }) => points)).toEqual([
      1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78,
    ]);
  });
});

describe('own challenges', () => {
  it('earn points three times a day, also concurrently, and report the limit after that', async () => {
    const ann = await newUser(network);
    const challenges = await Promise.all(Array.from({ length: 6 }, () => newChallenge(ann, { points: 10 })));
    const claims = await Promise.all(
      challenges.map(async (challenge) => {
        const participation = await ann.client.joinChallenge({ body: challenge });
        await ann.client.updateParticipation({ params: { id: participation.id }, body: { completed: true } });
        return (await ann.client.awardPoints({ body: challenge })).award;
      }),
    );
    await network.settle();
    expect(await pointsOf(ann)).toBe(30);
    const paid = claims.filter(({ points }) => points === 10);
    const unpaid = claims.filter(({ points }) => points === 0);
    expect([paid.length, unpaid.length]).toEqual([3, 3]);
    for (const { outcome } of unpaid) expect(outcome).toBe('own-limit');
    for (const { outcome } of paid) expect(outcome).toBeUndefined();
  });
});

/** Retries a call that was rejected because of too much load, as a client does. */
const retryWhenBusy = <T>(call: () => Promise<T>): Promise<T> =>
  call().catch((error: unknown) => {
    if (error instanceof CallError && error.status >= 503) return retryWhenBusy(call);
    throw error;
  });

it('awards each user exactly the points of 64 concurrent completions with duplicates and retries', async () => {
  const makers = await Promise.all(Array.from({ length: 5 }, () => newUser(network)));
  const challenges = await Promise.all(
    makers.flatMap((maker, m) => [1, 2, 3, 4].map((n) => newChallenge(maker, { points: m * 4 + n }))),
  );
  const users: TestUser[] = [];
  // Sign-ups hash passwords, which is slow on purpose, so not all at once.
  while (users.length < 8)
    users.push(...(await Promise.all(Array.from({ length: 4 }, () => newUser(network)))));
  const parts = await Promise.all(
    users.flatMap((user, u) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map(async (n) => {
        const challenge = challenges[(u * 7 + n * 3) % challenges.length];
        if (!challenge) throw new Error('no challenge');
        return { user, challenge, participation: await user.client.joinChallenge({ body: challenge }) };
      }),
    ),
  );
  expect(parts).toHaveLength(64);

  await Promise.all(
    parts.map(async ({ user, challenge, participation }, index) => {
      const complete = () =>
        retryWhenBusy(() =>
          user.client.updateParticipation({ params: { id: participation.id }, body: { completed: true } }),
        );
      const claim = () => retryWhenBusy(() => user.client.awardPoints({ body: challenge }));
      await Promise.all(index % 2 ? [complete()] : [complete(), complete()]);
      if (index % 3) await Promise.all([claim(), complete(), claim()]);
    }),
  );
  await network.settle();

  for (const user of users) {
    const expected = parts
      .filter((part) => part.user === user)
      .reduce((sum, { challenge }) => sum + challenge.points, 0);
    expect(await pointsOf(user)).toBe(expected);
  }
});

it('flags the points of two users who only complete each other’s new challenges', async () => {
  const [one, other] = [await newUser(network), await newUser(network)];
  const completeMutually = async () => {
    for (const [maker, walker] of [
      [one, other],
      [other, one],
    ] as const) {
      const challenge = await newChallenge(maker, { points: 10 });
      await complete(walker, challenge);
      const { award } = await walker.client.awardPoints({ body: challenge });
      await network.settle();
      if (award.outcome) return award.outcome;
    }
    return undefined;
  };
  const monthlyPoints = async ({ client }: TestUser) => {
    const { rows } = await client.getLeaderboard({ query: { period: 'month', scope: 'friends' } });
    return rows.map(({ points }) => points);
  };
  expect([await completeMutually(), await completeMutually()]).toEqual([undefined, undefined]);
  expect([await monthlyPoints(one), await monthlyPoints(other)]).toEqual([[20], [20]]);
  expect(await completeMutually()).toBe('flagged');
  expect([await monthlyPoints(one), await monthlyPoints(other)]).toEqual([[], []]);
  expect([await pointsOf(one), await pointsOf(other)]).toEqual([30, 30]);
  const admin = network.client(network.signToken({ sub: '1', admin: true }));
  const flagged = await admin.listFlaggedAwards();
  expect(flagged.filter(({ flagReason }) => flagReason === 'farming')).toHaveLength(6);
  expect(flagged.every(({ title, user, creator }) => title && user && creator)).toBe(true);
});
