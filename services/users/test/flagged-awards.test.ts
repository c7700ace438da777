import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChallengeLine, Doubt, FlaggedAward } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken } from '@wayquest/testing';
import { startUsersAlone } from './users-alone.ts';

const maker = 999_999;
let users: IsolatedService;
/** What participation answers of a person's line, whose event is still on its way. */
const participation = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://participation');
  const [userId, challengeId] = [searchParams.get('userId'), searchParams.get('challengeId')].map(Number);
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify([lineOf(userId ?? 0, challengeId ?? 0)]));
});
beforeAll(async () => {
  participation.listen(0, '127.0.0.1');
  await once(participation, 'listening');
  const { port } = participation.address() as AddressInfo;
  users = await startUsersAlone(undefined, { participationUrl: () => `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await users?.stop();
  participation.close();
});

const now = new Date().toISOString();
const lineOf = (userId: number, challengeId: number): ChallengeLine => ({
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
const completed = (userId: number, challengeId: number, doubt?: Doubt, creatorId = maker) =>
  users.deliver(
    newEvent('challenge.completed.v1', {
      ...{ lineId: challengeId, challengeId, userId, points: 10, creatorId, completedAt: now },
      ...(doubt && { doubt }),
    }),
  );
const claim = (userId: number, challengeId: number) =>
  users.client(signToken({ sub: String(userId) })).awardPoints({ body: { challengeId } });
const admin = () => users.client(signToken({ sub: '1', admin: true }));
const flaggedAwardsOf = async (id: number) =>
  (await admin().listFlaggedAwards()).flatMap(({ userId, challengeId, flagReason }) =>
    userId === id ? [[challengeId, flagReason]] : [],
  );
const pointsOf = async (id: number) => (await users.client().getUser({ params: { id } })).points;
const ofMonth = async (id: number) => {
  const { rows } = await users.client().getLeaderboard({ query: { period: 'month' } });
  return rows.find((row) => row.id === id)?.points;
};

/** What they have on the board of their town, of all time. */
const ofTown = async (id: number) => {
  const client = users.client(signToken({ sub: String(id) }));
  const { rows } = await client.getLeaderboard({ query: { scope: 'town' } });
  return rows.find((row) => row.id === id)?.points;
};

/** The whole queue, so many at a time, and the `Link` header of each page. */
async function allPages(limit: number) {
  const pages: FlaggedAward[][] = [];
  const headers: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    pages.push(
      await admin().listFlaggedAwards(
        { query: { limit, ...(cursor && { cursor }) } },
        { onHeaders: (answered) => void headers.push(answered.get('link')) },
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
    expect([await pointsOf(11), await ofMonth(11)]).toEqual([30, 10]);
    expect(await flaggedAwardsOf(11)).toEqual([
      [111, 'travel'],
      [112, 'pace'],
    ]);
    await admin().approveAward({ params: { userId: 11, challengeId: 111 } });
    expect([await ofMonth(11), await flaggedAwardsOf(11)]).toEqual([20, [[112, 'pace']]]);
    await completed(11, 111, 'travel');
    await completed(11, 112, 'pace');
    expect([await pointsOf(11), await ofMonth(11), await flaggedAwardsOf(11)]).toEqual([
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
    expect([await pointsOf(12), await ofMonth(12)]).toEqual([10, 10]);
    await completed(12, 120, 'travel');
    expect([await pointsOf(12), await ofMonth(12)]).toEqual([10, undefined]);
    expect(await flaggedAwardsOf(12)).toEqual([[120, 'travel']]);
    await admin().approveAward({ params: { userId: 12, challengeId: 120 } });
    await completed(12, 120, 'travel');
    expect([await ofMonth(12), await flaggedAwardsOf(12)]).toEqual([10, []]);
  });

  it('are also flagged if claim and event are concurrent', async () => {
    for (let id = 200; id < 212; id++) {
      await register(id);
      await Promise.all([claim(id, id * 10), completed(id, id * 10, 'pace')]);
      await users.settle();
      expect([await pointsOf(id), await ofMonth(id)]).toEqual([10, undefined]);
    }
  });

  it('count in the town’s rankings after a review; points of own challenges never do', async () => {
    await register(19);
    await users.client(signToken({ sub: '19' })).updateMe({ body: { city: 'Saint Paul', state: 'MN' } });
    expect(await ofTown(19)).toBe(0);
    await completed(19, 190);
    await completed(19, 191, 'travel');
    await completed(19, 192, 'pace');
    await completed(19, 193, undefined, 19);
    expect([await pointsOf(19), await ofTown(19)]).toEqual([40, 10]);
    await admin().approveAward({ params: { userId: 19, challengeId: 191 } });
    expect([await pointsOf(19), await ofTown(19)]).toEqual([40, 20]);
    const reason = 'Nobody can be that fast';
    await admin().revokeAward({ params: { userId: 19, challengeId: 192 }, body: { reason } });
    expect([await pointsOf(19), await ofTown(19)]).toEqual([30, 20]);
    // Claimed before the event that says that it is doubted.
    await claim(19, 194);
    expect(await ofTown(19)).toBe(30);
    await completed(19, 194, 'travel');
    expect([await pointsOf(19), await ofTown(19)]).toEqual([40, 20]);
  });

  it('are explained to their owner with a sentence that does not say why', async () => {
    await register(13);
    await completed(13, 130, 'pace');
    const { award } = await claim(13, 130);
    expect(award).toMatchObject({
      points: 10,
      outcome: 'waits',
    });
    const answers = await Promise.all(
      ['/api/own-data/users?cursor=1', '/api/leaderboard', '/api/users/13', '/auth/me'].map(async (path) => {
        const headers = { authorization: signToken({ sub: '13' }) };
        return (await fetch(users.url + path, { headers })).text();
      }),
    );
    for (const bytes of [...answers, JSON.stringify(award), JSON.stringify(users.told)])
      expect(bytes).not.toMatch(/flagReason|doubt|pace/);
    expect(answers[0]).toContain('"challengeId":130');
  });

  it('are revoked with a reason that their owner reads, permanently', async () => {
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
    // Two admins at the same moment: one of them is too late.
    const tried = await Promise.allSettled([
      admin().revokeAward({ params, body: { reason } }),
      admin().approveAward({ params }),
      admin().revokeAward({ params, body: { reason } }),
    ]);
    const [first] = tried.flatMap(({ status }, nth) => (status === 'fulfilled' ? [nth] : []));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await users.settle();
    const decided = users.told.flatMap(({ name, data }) =>
      name === 'points.decided.v1' && data.userId === 16
        ? [[data.decision, data.points, data.by, data.reason]]
        : [],
    );
    const isRevoked = first !== 1;
    expect(decided).toEqual([
      ['flag', 10, null, ''],
      isRevoked ? ['revoke', 10, 1, reason] : ['approve', 10, 1, ''],
    ]);
    expect([await pointsOf(16), await ofMonth(16), await flaggedAwardsOf(16)]).toEqual(
      isRevoked ? [10, 10, []] : [20, 20, []],
    );
  });

  it('show the reason to their owner, and are published as other revocations', async () => {
    await register(17);
    await completed(17, 170);
    await completed(17, 171, 'pace');
    await admin().revokeAward({
      params: { userId: 17, challengeId: 171 },
      body: { reason: 'Nobody can be that fast' },
    });
    const { award, points } = await claim(17, 171);
    expect(award).toMatchObject({ points: 0, outcome: 'taken-back', reason: 'Nobody can be that fast' });
    expect([points, await ofMonth(17), await flaggedAwardsOf(17)]).toEqual([10, 10, []]);
    await users.settle();
    const revoked = users.told.flatMap(({ name, data }) =>
      name === 'points.revoked.v1' && data.userId === 17
        ? [[data.challengeId, data.revoked, data.points]]
        : [],
    );
    expect(revoked).toEqual([[171, 10, 10]]);
    // Told of again, it stays as it was decided.
    await completed(17, 171, 'pace');
    expect([await pointsOf(17), await ofMonth(17), await flaggedAwardsOf(17)]).toEqual([10, 10, []]);
  });

  it('are listed in pages, oldest first, with who and what, each once', async () => {
    await register(18);
    await users.deliver(
      newEvent('challenge.completed.v1', {
        ...{ lineId: 180, challengeId: 180, userId: 18, points: 10, creatorId: 17, completedAt: now },
        ...{ doubt: 'pace', challenge: { name: 'Evening walk', createdAt: now } },
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
    const moments = pages.flat().map(({ flaggedAt }) => flaggedAt);
    expect(moments).toEqual(moments.toSorted());
    expect(new Set(pages.flat().map(({ userId, challengeId }) => `${userId}:${challengeId}`)).size).toBe(
      moments.length,
    );
    expect(headers.at(-1)).toBeNull();
  });

  it('need no review for own challenges, which are in no monthly ranking', async () => {
    await register(14);
    await completed(14, 140, 'pace', 14);
    expect([await pointsOf(14), await ofMonth(14), await flaggedAwardsOf(14)]).toEqual([10, undefined, []]);
  });

  it('are gone when the challenge is deleted with its points', async () => {
    await register(15);
    await completed(15, 150, 'travel');
    await users.deliver(newEvent('challenge.deleted.v1', { challengeId: 150, revokesPoints: true }));
    await completed(15, 150, 'travel');
    expect([await pointsOf(15), await ofMonth(15), await flaggedAwardsOf(15)]).toEqual([0, undefined, []]);
  });
});
