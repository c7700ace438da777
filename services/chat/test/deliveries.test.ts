import { newEvent } from '@wayquest/platform/bus';
import {
  expectSameResponses,
  type Network,
  newUser,
  recordEvents,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';
import { createChatService } from '../src/index.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'friends', 'chat'] });
});
afterAll(() => network?.stop());

it('shows the same open conversations in whatever order its events arrive', async () => {
  const history = recordEvents(network);
  const people = [await newUser(network), await newUser(network), await newUser(network)];
  const [ann, bob, cleo] = people;
  if (!ann || !bob || !cleo) throw new Error('too few people');
  const befriend = async (one: TestUser, other: TestUser) => {
    const { id } = await one.client.requestFriend({ body: { friendId: other.me.id } });
    await other.client.acceptFriend({ params: { id } });
    return { params: { id } };
  };
  await bob.client.removeFriend(await befriend(ann, bob));
  await befriend(bob, ann);
  await ann.client.removeFriend(await befriend(ann, cleo));
  await befriend(bob, cleo);
  await bob.client.updateMe({ body: { firstName: 'Rob' } });
  await bob.client.updateMe({ body: { firstName: 'Bob' } });
  await network.bus.publish(
    newEvent('challenge.completed.v1', {
      participationId: 1,
      challengeId: 1,
      userId: bob.me.id,
      points: 9,
      creatorId: 999_999,
      completedAt: new Date().toISOString(),
    }),
  );
  await network.settle();

  // Closed conversations are left out: none is created if the end of a friendship arrives first. Who opened a
  // conversation, and when, depends on the order, too.
  const responsesOf = (clientOf: Network['client']) =>
    Promise.all(
      people.map(async ({ token, me }) => {
        const all = await clientOf(token).listConversations({ params: { userId: me.id } });
        const open = all.filter((conversation) => conversation.open);
        return open.map(({ user, unread }) => ({ user, unread })).sort((a, b) => a.user.id - b.user.id);
      }),
    );
  const inOrder = await expectSameResponses({
    service: 'chat',
    create: (deps) =>
      createChatService({
        ...deps,
        messagesPerMinute: 100,
        friendsUrl: () => network.services.friends.url(),
      }),
    history,
    readResponses: ({ client }) => responsesOf(client),
  });
  expect(inOrder).toEqual(await responsesOf(network.client));
  const bobNow = { user: { id: bob.me.id, firstName: 'Bob', points: 9 } };
  expect(inOrder).toMatchObject([[bobNow], [{}, {}], [bobNow]]);
});
