import {
  expectSameResponses,
  type Network,
  newChallenge,
  newUser,
  readCollections,
  recordEvents,
  startNetwork,
} from '@wayquest/testing';
import { createFriendsService } from '../src/index.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'challenges', 'participation', 'friends'] });
});
afterAll(() => network?.stop());

it('shows the same users in whatever order its events arrive', async () => {
  const history = recordEvents(network);
  const [ann, bob] = [await newUser(network), await newUser(network)];
  await ann.client.requestFriend({ body: { friendId: bob.me.id } });
  for (const city of ['Hoboken', 'Queens', 'Newark']) await bob.client.updateMe({ body: { city } });
  for (const points of [40, 2, 7]) {
    const challenge = await newChallenge(ann, { points });
    const { id } = await bob.client.joinChallenge({ body: challenge });
    await bob.client.updateParticipation({ params: { id }, body: { completed: true } });
  }
  await network.settle();

  const inOrder = await expectSameResponses({
    service: 'friends',
    create: (deps) => createFriendsService({ ...deps, usersUrl: () => network.services.users.url() }),
    stored: await readCollections(network, 'friends', ['friend_requests']),
    history,
    readResponses: ({ client }) => client(ann.token).listFriendRequests(),
  });
  expect(inOrder).toEqual(await ann.client.listFriendRequests());
  expect(inOrder).toMatchObject([{ friend: { city: 'Newark', points: 49 } }]);
});
