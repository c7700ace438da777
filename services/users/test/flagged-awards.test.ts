import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FlaggedAward, ImplausibilityReason, Participation } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken } from '@wayquest/testing';
import { startIsolatedUsers } from './isolated-users.ts';

const maker = 999_999;
let users: IsolatedService;
/** A fake participation service: every participation is completed, although its event has not arrived. */
const participation = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://participation');
  const [userId, challengeId] = [searchParams.get('userId'), searchParams.get('challengeId')].map(Number);
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify([participationOf(userId ?? 0, challengeId ?? 0)]));
});
beforeAll(async () => {
  participation.listen(0, '127.0.0.1');
  await once(participation, 'listening');
  const { port } = participation.address() as AddressInfo;
  users = await startIsolatedUsers(undefined, { participationUrl: () => `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await users?.stop();
  participation.close();
});

const now = new Date().toISOString();
const participationOf = (userId: number, challengeId: number): Participation => ({
  ...{ id: challengeId, userId, challengeId, completed: true, points: 10, joinedAt: now, completedAt: now },
  checkedIn: false,
  challenge: {
    ...{ id: challengeId, name: 'Walk', description: '', difficulty: 'Easy', points: 10, locationName: '' },
    ...{ streetAddress: '', city: '', state: '', zip: '', startDate: null, endDate: null, position: null },
    ...{ timeZone: 'UTC', creator: { id: maker, username: 'maker' }, createdAt: now },
  },
  user: {
    ...{ id: userId, username: `person-${userId}`, firstName: '', lastName: '', city: '', state: '' },
    ...{ avatar: 'explorer.svg', points: 0 },
  },
});

const register = (id: number) =>
  users.deliver(newEvent('user.registered.v1', { id, username: `person-${id}`, admin: false, version: 1 }));
const completed = (
  userId: number,
  challengeId: number,
  flagReason?: ImplausibilityReason,
  creatorId = maker,
) =>
  users.deliver(
    newEvent('challenge.completed.v1', {
      ...{ participationId: challengeId, challengeId, userId, points: 10, creatorId, completedAt: now },
      ...(flagReason && { flagReason }),
    }),
  );
const claim = (userId: number, challengeId: number) =>
  users.client(signToken({ sub: String(userId) })).awardPoints({ body: { challengeId } });
const admin = () => users.client(signToken({ sub: '1', admin: true }));
const flaggedOf = async (id: number) =>
  (await admin().listFlaggedAwards()).flatMap(({ userId, challengeId, flagReason }) =>
    userId === id ? [[challengeId, flagReason]] : [],
  );
const pointsOf = async (id: number) => (await users.client().getUser({ params: { id } })).points;
const monthlyPointsOf = async (id: number) => {
  const { rows } = await users.client().getLeaderboard({ query: { period: 'month' } });
  return rows.find((row) => row.id === id)?.points;
};

/** Returns a user's points in the all-time leaderboard of their town. */
const townPointsOf = async (id: number) => {
  const client = users.client(signToken({ sub: String(id) }));
  const { rows } = await client.getLeaderboard({ query: { scope: 'town' } });
  return rows.find((row) => row.id === id)?.points;
};

/** Reads all pages of the review queue, and the `Link` header of each. */
async function allPages(limit: number) {
  const pages: FlaggedAward[][] = [];
  const headers: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    pages.push(
      await admin().listFlaggedAwards(
        { query: { limit, ...(cursor && { cursor }) } },
        { onHeaders: (received) => void headers.push(received.get('link')) },
      ),
    );
    const next = /<(.*?)>/.exec(headers.at(-1) ?? '')?.[1];
    cursor = next && (new URL(next, users.url).searchParams.get('cursor') ?? undefined);
  } while (cursor);
  return { pages, headers };
}

describe('points of an implausible completion', () => {
  it('count in the all-time ranking immediately, and in the month after a review, however often the event arrives', async () => {
    await register(11);
    await completed(11, 110);
    await completed(11, 111, 'travel');
    await completed(11, 112, 'pace');
    expect([await pointsOf(11), await monthlyPointsOf(11)]).toEqual([30, 10]);
    expect(await flaggedOf(11)).toEqual([
      [111, 'travel'],
      [112, 'pace'],
    ]);
    await admin().approveAward({ params: { userId: 11, challengeId: 111 } });
    expect([await monthlyPointsOf(11), await flaggedOf(11)]).toEqual([20, [[112, 'pace']]]);
    await completed(11, 111, 'travel');
    await completed(11, 112, 'pace');
    expect([await pointsOf(11), await monthlyPointsOf(11), await flaggedOf(11)]).toEqual([
      30,
      20,
      [[112, 'pace']],
    ]);
  });

  it('are removed from the month if the user’s claim arrived before the event', async () => {
    await register(12);
    const { award } = await claim(12, 120);
    expect(award).toMatchObject({ points: 10 });
    expect(award).not.toHaveProperty('outcome');
    await users.settle();
    expect([await pointsOf(12), await monthlyPointsOf(12)]).toEqual([10, 10]);
    await completed(12, 120, 'travel');
    expect([await pointsOf(12), await monthlyPointsOf(12)]).toEqual([10, undefined]);
    expect(await flaggedOf(12)).toEqual([[120, 'travel']]);
    await admin().approveAward({ params: { userId: 12, challengeId: 120 } });
    await completed(12, 120, 'travel');
    expect([await monthlyPointsOf(12), await flaggedOf(12)]).toEqual([10, []]);
  });

  it('are also flagged if claim and event are concurrent', async () => {
    for (let id = 200; id < 212; id++) {
      await register(id);
      await Promise.all([claim(id, id * 10), completed(id, id * 10, 'pace')]);
      await users.settle();
      expect([await pointsOf(id), await monthlyPointsOf(id)]).toEqual([10, undefined]);
    }
  });

  it('count in the town’s rankings after a review; points of own challenges never do', async () => {
    await register(19);
    await users.client(signToken({ sub: '19' })).updateMe({ body: { city: 'Saint Paul', state: 'MN' } });
    expect(await townPointsOf(19)).toBe(0);
    await completed(19, 190);
    await completed(19, 191, 'travel');
    await completed(19, 192, 'pace');
    await completed(19, 193, undefined, 19);
    expect([await pointsOf(19), await townPointsOf(19)]).toEqual([40, 10]);
    await admin().approveAward({ params: { userId: 19, challengeId: 191 } });
    expect([await pointsOf(19), await townPointsOf(19)]).toEqual([40, 20]);
    const reason = 'Nobody can be that fast';
    await admin().revokeAward({ params: { userId: 19, challengeId: 192 }, body: { reason } });
    expect([await pointsOf(19), await townPointsOf(19)]).toEqual([30, 20]);
    // Claimed before the event with the flag reason arrives.
    await claim(19, 194);
    expect(await townPointsOf(19)).toBe(30);
    await completed(19, 194, 'travel');
    expect([await pointsOf(19), await townPointsOf(19)]).toEqual([40, 20]);
  });

  it('are marked as waiting for their owner, without the reason', async () => {
    await register(13);
    await completed(13, 130, 'pace');
    const { award } = await claim(13, 130);
    expect(award).toMatchObject({
      points: 10,
      outcome: 'flagged',
    });
    const responses = await Promise.all(
      ['/api/own-data/users?cursor=1', '/api/leaderboard', '/api/users/13', '/auth/me'].map(async (path) => {
        const headers = { authorization: signToken({ sub: '13' }) };
        return (await fetch(users.url + path, { headers })).text();
      }),
    );
    for (const bytes of [...responses, JSON.stringify(award), JSON.stringify(users.published)])
      expect(bytes).not.toMatch(/flagReason|pace/);
    expect(responses[0]).toContain('"challengeId":130');
  });

  it('are approved or revoked by an admin only, once, and a revocation needs a reason', async () => {
    await register(16);
    await completed(16, 160);
    await completed(16, 161, 'travel');
    await users.settle();
    const params = { userId: 16, challengeId: 161 };
    await expect(admin().revokeAward({ params, body: { reason: ' ' } })).rejects.toMatchObject({
      problem: { code: 'invalid-request' },
    });
    await expect(
      users.client(signToken({ sub: '16' })).revokeAward({ params, body: { reason: 'Mine' } }),
    ).rejects.toMatchObject({ problem: { code: 'admins-only' } });

    const reason = 'Nobody flies that fast';
    // Of concurrent decisions, only the first succeeds.
    const outcomes = await Promise.allSettled([
      admin().revokeAward({ params, body: { reason } }),
      admin().approveAward({ params }),
      admin().revokeAward({ params, body: { reason } }),
    ]);
    const [first] = outcomes.flatMap(({ status }, nth) => (status === 'fulfilled' ? [nth] : []));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await users.settle();
    const decided = users.published.flatMap(({ name, data }) =>
      name === 'points.decided.v1' && data.userId === 16
        ? [[data.decision, data.points, data.by, data.reason]]
        : [],
    );
    const isWithdrawn = first !== 1;
    expect(decided).toEqual([
      ['flag', 10, null, ''],
      isWithdrawn ? ['revoke', 10, 1, reason] : ['approve', 10, 1, ''],
    ]);
    expect([await pointsOf(16), await monthlyPointsOf(16), await flaggedOf(16)]).toEqual(
      isWithdrawn ? [10, 10, []] : [20, 20, []],
    );
  });

  it('show the reason of a revocation to their owner, and are published as revoked', async () => {
    await register(17);
    await completed(17, 170);
    await completed(17, 171, 'pace');
    await admin().revokeAward({
      params: { userId: 17, challengeId: 171 },
      body: { reason: 'Nobody can be that fast' },
    });
    const { award, points } = await claim(17, 171);
    expect(award).toMatchObject({ points: 0, outcome: 'revoked', reason: 'Nobody can be that fast' });
    expect([points, await monthlyPointsOf(17), await flaggedOf(17)]).toEqual([10, 10, []]);
    await users.settle();
    const revoked = users.published.flatMap(({ name, data }) =>
      name === 'points.revoked.v1' && data.userId === 17
        ? [[data.challengeId, data.revoked, data.points]]
        : [],
    );
    expect(revoked).toEqual([[171, 10, 10]]);
    // A repeated event does not change the decision.
    await completed(17, 171, 'pace');
    expect([await pointsOf(17), await monthlyPointsOf(17), await flaggedOf(17)]).toEqual([10, 10, []]);
  });

  it('are listed in pages, each once, oldest first, with user, creator and title', async () => {
    await register(18);
    await users.deliver(
      newEvent('challenge.completed.v1', {
        ...{
          participationId: 180,
          challengeId: 180,
          userId: 18,
          points: 10,
          creatorId: 17,
          completedAt: now,
        },
        ...{ flagReason: 'pace', challenge: { name: 'Evening walk', createdAt: now } },
      }),
    );
    for (let n = 1; n < 5; n++) await completed(18, 180 + n, 'travel');
    const { headers, pages } = await allPages(2);
    expect(pages.flat().filter(({ userId }) => userId === 18)).toMatchObject([
      {
        ...{ challengeId: 180, title: 'Evening walk', flagReason: 'pace', points: 10 },
        ...{ user: { id: 18, username: 'person-18' }, creator: { id: 17, username: 'person-17' } },
      },
      ...[181, 182, 183, 184].map((challengeId) => ({ challengeId, title: '', creator: null })),
    ]);
    const times = pages.flat().map(({ flaggedAt }) => flaggedAt);
    expect(times).toEqual(times.toSorted());
    expect(new Set(pages.flat().map(({ userId, challengeId }) => `${userId}:${challengeId}`)).size).toBe(
      times.length,
    );
    expect(headers.at(-1)).toBeNull();
  });

  it('need no review for own challenges, which are in no monthly ranking', async () => {
    await register(14);
    await completed(14, 140, 'pace', 14);
    expect([await pointsOf(14), await monthlyPointsOf(14), await flaggedOf(14)]).toEqual([10, undefined, []]);
  });

  it('are removed when the challenge is deleted with its points', async () => {
    await register(15);
    await completed(15, 150, 'travel');
    await users.deliver(newEvent('challenge.deleted.v1', { challengeId: 150, revokesPoints: true }));
    await completed(15, 150, 'travel');
    expect([await pointsOf(15), await monthlyPointsOf(15), await flaggedOf(15)]).toEqual([0, undefined, []]);
  });
});
