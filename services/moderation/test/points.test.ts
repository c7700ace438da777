import { newEvent } from '@wayquest/platform/bus';
import { connectMongo } from '@wayquest/platform/store';
import { type Network, newChallenge, newUser, startNetwork } from '@wayquest/testing';
import { hashOf, type StoredLine } from '../src/audit.ts';
import { checkAudit } from '../src/index.ts';
import { solve } from './solving.ts';

let network: Network;
beforeAll(async () => {
  const others = ['friends', 'chat', 'notifications', 'moderation'] as const;
  network = await startNetwork({
    services: ['auth', 'users', 'challenges', 'participation', ...others],
    settings: { REPORTER_DAYS: '3', PLACE_REQUESTS_PER_DAY: '2' },
  });
});
afterAll(() => network?.stop());

it('logs an admin’s decision about points under review, and notifies their owner', async () => {
  const [maker, walker, decider] = [await newUser(network), await newUser(network), await newUser(network)];
  const admin = network.client(
    network.signToken({ sub: String(decider.me.id), username: decider.username, admin: true }),
  );
  const [counting, taken] = [
    await newChallenge(maker, { name: 'The long walk' }),
    await newChallenge(maker, { name: 'The fast walk' }),
  ];
  for (const { id: challengeId, name, createdAt } of [counting, taken])
    await network.bus.publish(
      newEvent('challenge.completed.v1', {
        ...{ lineId: challengeId, challengeId, userId: walker.me.id, points: 10, creatorId: maker.me.id },
        ...{ completedAt: new Date().toISOString(), doubt: 'pace', challenge: { name, createdAt } },
      }),
    );
  await network.settle();
  // They wait, and the person is told by one notification.
  expect(await walker.client.listNotifications()).toMatchObject([
    { kind: 'moderation-decided', change: 'points-wait', challenge: { name: 'The fast walk' } },
  ]);
  expect(await admin.listAudit({ query: { by: decider.me.id } })).toEqual([]);
  expect(await walker.client.listOwnDecisions()).toEqual([]);

  const userId = walker.me.id;
  const reason = 'It is two hours on foot';
  await admin.approveAward({ params: { userId, challengeId: counting.id } });
  await admin.revokeAward({ params: { userId, challengeId: taken.id }, body: { reason } });
  await network.settle();
  expect((await walker.client.getMe()).points).toBe(10);
  expect(await admin.listAudit({ query: { by: decider.me.id } })).toMatchObject([
    { caseId: `points-${userId}-${taken.id}`, action: 'revoke', note: reason, by: { id: decider.me.id } },
    { caseId: `points-${userId}-${counting.id}`, action: 'approve', note: '' },
  ]);
  expect(await walker.client.listOwnDecisions()).toMatchObject([
    {
      kind: 'points',
      subjectId: taken.id,
      title: 'The fast walk',
      action: 'revoke',
      reason,
      mayAppeal: false,
    },
    { kind: 'points', subjectId: counting.id, title: 'The long walk', action: 'approve' },
  ]);
  const told = await walker.client.listNotifications();
  expect(told.map(({ change, reason: said }) => [change, said])).toEqual([
    ['points-revoked', reason],
    ['points-count', undefined],
    ['points-wait', undefined],
  ]);

  // Nobody else is told, and who decided is not.
  expect(await maker.client.listOwnDecisions()).toEqual([]);
  const answers = await Promise.all(
    [
      walker.client.listOwnDecisions(),
      walker.client.listNotifications(),
      walker.client.listOwnModerationData({ query: { cursor: '1' } }),
    ].map(async (answer) => JSON.stringify(await answer)),
  );
  for (const answer of answers) expect(answer).not.toContain(decider.username);
  expect(answers[2]).toContain(reason);
  expect(answers.join()).not.toMatch(/pace|"by"/);
});

interface Stored {
  _id: string;
  [field: string]: unknown;
}

it('reads decisions that version 0.1.0 logged, and leaves them as they are', async () => {
  const walker = await newUser(network);
  const userId = walker.me.id;
  const storeOf = { url: network.mongoUrl, logger: network.logger };
  const store = await connectMongo({ ...storeOf, database: `${network.databasePrefix}_moderation` });
  try {
    const log = store.collection<Stored>('audit');
    const [last] = await log.find<StoredLine>({}).sort({ place: -1 }).limit(1).toArray();
    let [place, before] = [last?.place ?? 0, last?.hash ?? null];
    for (const [challengeId, action] of [
      [1, 'release'],
      [2, 'withdraw'],
    ] as const) {
      const caseId = `points-${userId}-${challengeId}`;
      const line = {
        ...{
          _id: `${caseId}:1`,
          caseId,
          concernedId: userId,
          action,
          by: 900_001,
          at: new Date(challengeId),
        },
        ...{ note: 'Two hours on foot', place: ++place, before },
      };
      before = hashOf(line);
      await log.insertOne({ ...line, hash: before });
    }
  } finally {
    await store.close();
  }
  expect(await walker.client.listOwnDecisions()).toMatchObject([
    { subjectId: 2, action: 'revoke', reason: 'Two hours on foot' },
    { subjectId: 1, action: 'approve' },
  ]);
  const archived = JSON.stringify(await walker.client.listOwnModerationData({ query: { cursor: '1' } }));
  expect(archived).toContain(
    '"action":"revoke","at":"1970-01-01T00:00:00.002Z","reason":"Two hours on foot"',
  );
  const { mongoUrl, databasePrefix, logger } = network;
  expect(await checkAudit({ mongoUrl, databasePrefix, logger })).toMatchObject({ broken: [] });
});

describe('a reporter', () => {
  const as = (id: number) =>
    network.client(network.signToken({ sub: String(id), username: `reporter-${id}` }));
  const admin = () => network.client(network.signToken({ sub: '900001', username: 'admin', admin: true }));
  let next = 1_200_000_000;
  /** Somebody whose account is so many days old. */
  const reporter = async (days: number) => {
    next += 1;
    await network.bus.publish(
      newEvent('user.registered.v1', {
        ...{ id: next, username: `reporter-${next}`, admin: false, version: 1 },
        registeredAt: new Date(Date.now() - days * 86_400_000).toISOString(),
      }),
    );
    return next;
  };
  /** The weight of a new challenge, and whether it is hidden, once they have reported it. */
  const reported = async (by: number[]) => {
    const { id } = await newChallenge(await newUser(network));
    await network.settle();
    for (const userId of by)
      await as(userId).report({ body: { kind: 'challenge', id, reason: 'spam', words: '' } });
    await network.settle();
    const { reports, weight, state } = await admin().getCase({ params: { id: `challenge-${id}` } });
    return [reports, weight, state];
  };

  it('does not count before their account has a minimum age', async () => {
    const [first, second] = [await reporter(4), await reporter(30)];
    await network.settle();
    expect(await reported([first, second, await reporter(2), await reporter(0)])).toEqual([4, 2, 'live']);
    expect(await reported([first, second, await reporter(4)])).toEqual([3, 3, 'hidden']);
  });

  it('does not count while suspended, also with an older token', async () => {
    const suspended = await newUser(network);
    await network.settle();
    await network.bus.publish(
      newEvent('user.registered.v1', {
        ...{ id: suspended.me.id, username: suspended.username, admin: false, version: 1 },
      }),
    );
    const { id } = suspended.me;
    const others = [await reporter(9), await reporter(9)];
    await network.settle();
    await as(others[0] ?? 0).report({ body: { kind: 'user', id, reason: 'abuse', words: '' } });
    await network.settle();
    await admin().decide({ params: { id: `user-${id}` }, body: { action: 'suspend', days: 1 } });
    await network.settle();
    await expect(
      suspended.client.report({ body: { kind: 'challenge', id: 1, reason: 'spam', words: '' } }),
    ).rejects.toMatchObject({ problem: { code: 'suspended' } });
    expect(await reported(others)).toEqual([2, 2, 'live']);
  });
});

it('limits the requests of place owners per network and day, and says so', async () => {
  const nobody = network.client();
  const { id: challengeId } = await newChallenge(await newUser(network));
  await network.settle();
  const ask = async () => {
    const puzzle = await nobody.getPuzzle();
    const body = { challengeId, words: 'It is in my garden', email: 'owner@place.example' };
    return nobody.requestForPlace({ body: { ...body, nonce: puzzle.nonce, solution: solve(puzzle) } });
  };
  await ask();
  await ask();
  await expect(ask()).rejects.toMatchObject({
    problem: { code: 'too-many-requests', detail: expect.stringContaining('limit of 2 requests a day') },
  });
});
