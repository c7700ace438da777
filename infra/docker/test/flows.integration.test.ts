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

// Effects across services, each in its own container.
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

  it('award points for a completion', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    const challenge = await newChallenge(ann, { points: 15 });
    await network.settle();
    await complete(bob, challenge);
    await network.settle();
    expect(await bob.client.getMe()).toMatchObject({ points: 15 });
  });

  it('create a conversation when a friend request is accepted', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    await network.settle();
    await befriend(ann, bob);
    await network.settle();
    for (const { client, me } of [ann, bob])
      expect(await client.listConversations({ params: { userId: me.id } })).toMatchObject([{ open: true }]);
  });

  it('delete the participations of a deleted challenge', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    const { id } = await newChallenge(ann);
    await network.settle();
    await bob.client.joinChallenge({ body: { challengeId: id } });
    await network.client(network.signToken({ admin: true })).deleteChallenge({ params: { id } });
    await network.settle();
    expect(await bob.client.listLines()).toEqual([]);
  });

  it('show a changed username in every service', async () => {
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

  it('hide two users from each other after a block', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    await network.settle();
    await befriend(ann, bob);
    const { id: challengeId } = await newChallenge(await newUser(network));
    await network.settle();
    for (const one of [ann, bob]) await complete(one, { id: challengeId });
    await network.settle();
    const seenBy = async ({ client, me }: TestUser, other: TestUser) => {
      const responses = {
        friends: await client.listFriendRequests(),
        conversations: await client.listConversations({ params: { userId: me.id } }),
        lines: await client.listLines({ query: { challengeId } }),
        board: await client.getLeaderboard(),
        search: await client.listUsers({ query: { search: other.username } }),
        notifications: await client.listNotifications(),
      };
      return Object.entries(responses).flatMap(([place, response]) =>
        JSON.stringify(response).includes(other.username) ? [place] : [],
      );
    };
    const allPlaces = ['friends', 'conversations', 'lines', 'board', 'search'];
    // The sender is notified of the acceptance; the receiver's notification of the request is removed.
    expect(await seenBy(ann, bob)).toEqual([...allPlaces, 'notifications']);
    expect(await seenBy(bob, ann)).toEqual(allPlaces);
    await ann.client.blockUser({ body: { userId: bob.me.id } });
    await network.settle();
    expect(await seenBy(ann, bob)).toEqual([]);
    expect(await seenBy(bob, ann)).toEqual([]);
  });

  it('can be paused and resumed', async () => {
    const ann = await newUser(network);
    await network.pause('users');
    const pending = ann.client.getMe();
    const first = await Promise.race([pending, ann.client.listLines()]);
    await network.resume('users');
    expect(first).toEqual([]);
    expect(await pending).toEqual(ann.me);
  });

  it('can be killed and restarted, with their logs', async () => {
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

  it('catch up after they were disconnected from a dependency', async () => {
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
