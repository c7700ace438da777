import {
  befriend,
  complete,
  describeWith,
  type MultiProcessNetwork,
  newChallenge,
  newUser,
  startNetwork,
  type TestUser,
  testOutages,
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
    expect(await bob.client.listParticipations()).toEqual([]);
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
    expect(await ann.client.listParticipations({ query: { challengeId: id } })).toMatchObject([
      { user: renamed },
    ]);
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
      affectedUser: renamed,
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
        participations: await client.listParticipations({ query: { challengeId } }),
        board: await client.getLeaderboard(),
        search: await client.listUsers({ query: { search: other.username } }),
        notifications: await client.listNotifications(),
      };
      return Object.entries(responses).flatMap(([place, response]) =>
        JSON.stringify(response).includes(other.username) ? [place] : [],
      );
    };
    const allPlaces = ['friends', 'conversations', 'participations', 'board', 'search'];
    // The sender is notified of the acceptance; the receiver's notification of the request is removed.
    expect(await seenBy(ann, bob)).toEqual([...allPlaces, 'notifications']);
    expect(await seenBy(bob, ann)).toEqual(allPlaces);
    await ann.client.blockUser({ body: { userId: bob.me.id } });
    await network.settle();
    expect(await seenBy(ann, bob)).toEqual([]);
    expect(await seenBy(bob, ann)).toEqual([]);
  });

  testOutages(() => network);
});
