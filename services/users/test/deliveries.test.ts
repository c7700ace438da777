import {
  expectSameResponses,
  type Network,
  newChallenge,
  newUser,
  recordEvents,
  startNetwork,
  testPassword,
} from '@wayquest/testing';
import { createUsersService } from '../src/index.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'challenges', 'participation', 'friends'] });
});
afterAll(() => network?.stop());

it('shows the same users, points and friends in whatever order its events arrive', async () => {
  const history = recordEvents(network);
  const [ann, bob, cleo] = [await newUser(network), await newUser(network), await newUser(network)];
  const spammer = await newUser(network);

  for (const challenge of [
    await newChallenge(ann, { points: 40 }),
    await newChallenge(ann, { points: 2 }),
    await newChallenge(bob, { points: 7 }),
    await newChallenge(spammer, { points: 30 }),
  ]) {
    for (const { client } of [bob, cleo]) {
      const { id } = await client.joinChallenge({ body: challenge });
      await client.updateParticipation({ params: { id }, body: { completed: true } });
    }
  }
  const admin = network.client(network.signToken({ admin: true }));
  expect(await admin.deleteChallengesOf({ params: { id: String(spammer.me.id) } })).toEqual({ deleted: 1 });
  await ann.client.updateMe({ body: { username: `${ann.username}-two` } });
  await ann.client.updateMe({ body: { username: `${ann.username}-three` } });
  const befriend = async (one: typeof ann, other: typeof ann) => {
    const { id } = await one.client.requestFriend({ body: { friendId: other.me.id } });
    await other.client.acceptFriend({ params: { id } });
    return { params: { id } };
  };
  await befriend(ann, bob);
  await cleo.client.removeFriend(await befriend(cleo, ann));
  await befriend(ann, cleo);
  await bob.client.removeFriend(await befriend(bob, cleo));
  await network.settle();
  // Tokens contain the username, so a new username needs new ones.
  const tokens = await Promise.all(
    [`${ann.username}-three`, bob.username, cleo.username].map(
      async (username) =>
        (await network.client().login({ body: { username, password: testPassword } })).token,
    ),
  );

  const responsesOf = async (clientOf: Network['client']) => ({
    board: await clientOf().getLeaderboard(),
    boardsOfFriends: await Promise.all(
      tokens.map((token) => clientOf(token).getLeaderboard({ query: { scope: 'friends' } })),
    ),
    users: await clientOf().listUsers(),
    suggested: await Promise.all(
      tokens.map(async (token) => {
        // Suggestions are in random order.
        const suggested = await clientOf(token).listUsers({ query: { suggested: 20 } });
        return suggested.toSorted((one, other) => one.id - other.id);
      }),
    ),
  });
  const inOrder = await expectSameResponses({
    service: 'users',
    create: (deps) =>
      createUsersService({
        ...deps,
        authUrl: () => network.services.auth.url(),
        participationUrl: () => network.services.participation.url(),
        ownDataUrls: {
          challenges: () => network.services.participation.url(),
          friends: () => network.services.participation.url(),
          chat: () => network.services.participation.url(),
          notifications: () => network.services.participation.url(),
          moderation: () => network.services.participation.url(),
        },
        archivesPerDay: 1,
        picturesPerHour: 100,
        ownChallengesPerDay: 3,
        pairPointsPerDay: 300,
      }),
    history,
    readResponses: ({ client }) => responsesOf(client),
  });
  expect(inOrder).toEqual(await responsesOf(network.client));
  expect(inOrder.users.map(({ points }) => points)).toEqual([0, 49, 49, 0]);
});
