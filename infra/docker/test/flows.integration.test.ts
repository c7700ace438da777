import {
  befriend,
  complete,
  describeWith,
  eventually,
  type MultiProcessNetwork,
  newChallenge,
  newUser,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';

/** What one service does because of another one, as people meet it: with each in a container of its own. */
(await describeWith('images', 'rabbitmq'))('services in their containers', () => {
  let network: MultiProcessNetwork;
  beforeAll(async () => {
    network = await startNetwork({
      as: 'containers',
      services: [
        'auth',
        'users',
        'challenges',
        'participation',
        'friends',
        'chat',
        'notifications',
        'moderation',
      ],
      replicas: { participation: 2 },
    });
  });
  afterAll(() => network?.stop(), 60_000);

  it('completing awards points', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    const challenge = await newChallenge(ann, { points: 15 });
    await network.settle();
    await complete(bob, challenge);
    await network.settle();
    expect(await bob.client.getMe()).toMatchObject({ points: 15 });
  });

  it('accepting creates a conversation', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    await network.settle();
    await befriend(ann, bob);
    await network.settle();
    for (const { client, me } of [ann, bob])
      expect(await client.listConversations({ params: { userId: me.id } })).toMatchObject([{ open: true }]);
  });

  it('deleting a challenge deletes its participations', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    const { id } = await newChallenge(ann);
    await network.settle();
    await bob.client.joinChallenge({ body: { challengeId: id } });
    await network.client(network.signToken({ admin: true })).deleteChallenge({ params: { id } });
    await network.settle();
    expect(await bob.client.listLines()).toEqual([]);
  });

  it('renaming renames everywhere', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    const { id } = await newChallenge(ann);
    await network.settle();
    await bob.client.joinChallenge({ body: { challengeId: id } });
    await befriend(ann, bob);
    await ann.client.report({ body: { kind: 'user', id: bob.me.id, reason: 'spam' } });
    await network.settle();
    const username = `${bob.username}-the-second`;
    await bob.client.updateMe({ body: { username } });
    await network.settle();
    const renamed = expect.objectContaining({ username });
    expect(await ann.client.getUser({ params: { id: bob.me.id } })).toEqual(renamed);
    expect(await ann.client.listLines({ query: { challengeId: id } })).toMatchObject([{ user: renamed }]);
    expect(await ann.client.listFriendRequests()).toMatchObject([{ friend: renamed }]);
    expect(await ann.client.listConversations({ params: { userId: ann.me.id } })).toMatchObject([
      { user: renamed },
    ]);
    expect(await ann.client.listNotifications()).toMatchObject([
      { kind: 'friend-accepted', people: [renamed] },
      { kind: 'challenge-joined', people: [renamed] },
    ]);
    const admin = network.client(network.signToken({ admin: true }));
    expect(await admin.getCase({ params: { id: `user-${bob.me.id}` } })).toMatchObject({
      concerned: renamed,
    });
  });

  it('blocking hides two people from each other', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    await network.settle();
    await befriend(ann, bob);
    const { id: challengeId } = await newChallenge(await newUser(network));
    await network.settle();
    for (const one of [ann, bob]) await complete(one, { id: challengeId });
    await network.settle();
    const seenBy = async ({ client, me }: TestUser, other: TestUser) => {
      const answers = {
        friends: await client.listFriendRequests(),
        conversations: await client.listConversations({ params: { userId: me.id } }),
        lines: await client.listLines({ query: { challengeId } }),
        board: await client.getLeaderboard(),
        search: await client.listUsers({ query: { search: other.username } }),
        notifications: await client.listNotifications(),
      };
      return Object.entries(answers).flatMap(([where, answer]) =>
        JSON.stringify(answer).includes(other.username) ? [where] : [],
      );
    };
    const everywhere = ['friends', 'conversations', 'lines', 'board', 'search'];
    // Who accepted is told of; the request itself no longer is.
    expect(await seenBy(ann, bob)).toEqual([...everywhere, 'notifications']);
    expect(await seenBy(bob, ann)).toEqual(everywhere);
    await ann.client.blockUser({ body: { userId: bob.me.id } });
    await network.settle();
    expect(await seenBy(ann, bob)).toEqual([]);
    expect(await seenBy(bob, ann)).toEqual([]);
  });

  it('each can be paused and resumed', async () => {
    const ann = await newUser(network);
    await network.pause('users');
    const asking = ann.client.getMe();
    const first = await Promise.race([asking, ann.client.listLines()]);
    await network.resume('users');
    expect(first).toEqual([]);
    expect(await asking).toEqual(ann.me);
  });

  it('each can be killed, is restarted, and shows its log', async () => {
    const ann = await newUser(network);
    await network.kill('participation', 0);
    await eventually(() => ann.client.listLines());
    await network.kill('participation');
    await expect(ann.client.listLines()).rejects.toThrow(
      /temporarily unavailable.*GET \/api\/challengeLine\/ is for participation, which was killed; request [\w-]+/,
    );
    await eventually(() =>
      expect(network.logs('gateway').join('\n')).toMatch(
        /WARN upstream request failed .*"requestId":"[\w-]+"/,
      ),
    );
    await network.revive('participation', 1);
    await eventually(() => ann.client.listLines());
    await network.revive('participation', 0);
    await eventually(() =>
      expect(network.logs('participation').join('\n')).toMatch(/GET \/api\/challengeLine/i),
    );
  });

  it('each can be cut off from a dependency, and catches up afterwards', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    const challenge = await newChallenge(bob, { points: 7 });
    await network.settle();
    await network.disconnect('users', 'rabbitmq');
    await complete(ann, challenge);
    expect(await ann.client.getMe()).toMatchObject({ points: 0 });
    await network.reconnect('users', 'rabbitmq');
    await eventually(async () => expect(await ann.client.getMe()).toMatchObject({ points: 7 }), {
      withinMs: 30_000,
    });
  });
});
