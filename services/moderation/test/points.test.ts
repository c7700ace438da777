import { createClient } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { type Network, newChallenge, newUser, startNetwork } from '@wayquest/testing';
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
  const [released, withdrawn] = [
    await newChallenge(maker, { name: 'The long walk' }),
    await newChallenge(maker, { name: 'The fast walk' }),
  ];
  for (const { id: challengeId, name, createdAt } of [released, withdrawn])
    await network.bus.publish(
      newEvent('challenge.completed.v1', {
        ...{
          participationId: challengeId,
          challengeId,
          userId: walker.me.id,
          points: 10,
          creatorId: maker.me.id,
        },
        ...{ completedAt: new Date().toISOString(), flagReason: 'pace', challenge: { name, createdAt } },
      }),
    );
  await network.settle();
  // The points wait for a review, and one notification says so.
  expect(await walker.client.listNotifications()).toMatchObject([
    { kind: 'moderation-decided', change: 'points-flagged', challenge: { name: 'The fast walk' } },
  ]);
  expect(await admin.listAudit({ query: { by: decider.me.id } })).toEqual([]);
  expect(await walker.client.listOwnDecisions()).toEqual([]);

  const userId = walker.me.id;
  const reason = 'It is two hours on foot';
  await admin.approveAward({ params: { userId, challengeId: released.id } });
  await admin.revokeAward({ params: { userId, challengeId: withdrawn.id }, body: { reason } });
  await network.settle();
  expect((await walker.client.getMe()).points).toBe(10);
  expect(await admin.listAudit({ query: { by: decider.me.id } })).toMatchObject([
    {
      caseId: `points-${userId}-${withdrawn.id}`,
      action: 'revoke',
      note: reason,
      by: { id: decider.me.id },
    },
    { caseId: `points-${userId}-${released.id}`, action: 'approve', note: '' },
  ]);
  expect(await walker.client.listOwnDecisions()).toMatchObject([
    {
      kind: 'points',
      subjectId: withdrawn.id,
      title: 'The fast walk',
      action: 'revoke',
      reason,
      mayAppeal: false,
    },
    { kind: 'points', subjectId: released.id, title: 'The long walk', action: 'approve' },
  ]);
  const notifications = await walker.client.listNotifications();
  expect(notifications.map((notification) => [notification.change, notification.reason])).toEqual([
    ['points-revoked', reason],
    ['points-approved', undefined],
    ['points-flagged', undefined],
  ]);

  // Nobody else sees the decision, and no response names the admin.
  expect(await maker.client.listOwnDecisions()).toEqual([]);
  // Other services call the last one, for the archive.
  const moderation = createClient({
    baseUrl: network.services.moderation.url(),
    token: () => walker.token,
  });
  const responses = await Promise.all(
    [
      walker.client.listOwnDecisions(),
      walker.client.listNotifications(),
      moderation.listOwnModerationData({ query: { cursor: '1' } }),
    ].map(async (response) => JSON.stringify(await response)),
  );
  for (const response of responses) expect(response).not.toContain(decider.username);
  expect(responses[2]).toContain(reason);
  expect(responses.join()).not.toMatch(/pace|"by"/);
});

describe('a reporter', () => {
  const clientOf = (id: number) =>
    network.client(network.signToken({ sub: String(id), username: `reporter-${id}` }));
  const admin = () => network.client(network.signToken({ sub: '900001', username: 'admin', admin: true }));
  let next = 1_200_000_000;
  /** Registers a user whose account is so many days old. */
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
  /** Reports a new challenge; returns the number of reports, their weight, and the challenge's state. */
  const outcomeOfReports = async (reporters: number[]) => {
    const { id } = await newChallenge(await newUser(network));
    await network.settle();
    for (const userId of reporters)
      await clientOf(userId).report({ body: { kind: 'challenge', id, reason: 'spam', comment: '' } });
    await network.settle();
    const { reports, weight, state } = await admin().getCase({ params: { id: `challenge-${id}` } });
    return [reports, weight, state];
  };

  it('does not count until their account has a minimum age', async () => {
    const [first, second] = [await reporter(4), await reporter(30)];
    await network.settle();
    expect(await outcomeOfReports([first, second, await reporter(2), await reporter(0)])).toEqual([
      4,
      2,
      'live',
    ]);
    expect(await outcomeOfReports([first, second, await reporter(4)])).toEqual([3, 3, 'hidden']);
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
    await clientOf(others[0] ?? 0).report({ body: { kind: 'user', id, reason: 'abuse', comment: '' } });
    await network.settle();
    await admin().decide({ params: { id: `user-${id}` }, body: { action: 'suspend', days: 1 } });
    await network.settle();
    await expect(
      suspended.client.report({ body: { kind: 'challenge', id: 1, reason: 'spam', comment: '' } }),
    ).rejects.toMatchObject({ problem: { code: 'suspended' } });
    expect(await outcomeOfReports(others)).toEqual([2, 2, 'live']);
  });
});

it('limits the requests of place owners per network and day', async () => {
  const visitor = network.client();
  const { id: challengeId } = await newChallenge(await newUser(network));
  await network.settle();
  const request = async () => {
    const puzzle = await visitor.getPuzzle();
    const body = { challengeId, comment: 'It is in my garden', email: 'owner@place.example' };
    return visitor.requestForPlace({ body: { ...body, nonce: puzzle.nonce, solution: solve(puzzle) } });
  };
  await request();
  await request();
  await expect(request()).rejects.toMatchObject({
    problem: { code: 'too-many-requests', detail: expect.stringContaining('limit of 2 requests a day') },
  });
});
