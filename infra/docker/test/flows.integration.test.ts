import {
  type ApartNetwork,
  befriend,
  complete,
  describeWith,
  newChallenge,
  newUser,
  startNetwork,
} from '@wayquest/testing';

/** What one service does because of another one, as people meet it: with each in a container of its own. */
(await describeWith('images', 'rabbitmq'))('services in their containers', () => {
  let network: ApartNetwork;
  beforeAll(async () => {
    network = await startNetwork({
      as: 'containers',
      services: ['auth', 'users', 'challenges', 'participation', 'friends', 'chat'],
    });
  }, 120_000);
  afterAll(() => network?.stop(), 60_000);

  it('completing gives points', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    const challenge = await newChallenge(ann, { points: 15 });
    await network.settle();
    await complete(bob, challenge);
    await network.settle();
    expect(await bob.client.getMe()).toMatchObject({ points: 15 });
  });

  it('accepting makes a conversation', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    await network.settle();
    await befriend(ann, bob);
    await network.settle();
    for (const { client, me } of [ann, bob])
      expect(await client.listConversations({ params: { userId: me.id } })).toMatchObject([{ open: true }]);
  });

  it('deleting a challenge takes its lines away', async () => {
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
  });
});
