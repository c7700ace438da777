import { newEvent } from '@wayquest/platform/bus';
import {
  closeTabs,
  eventually,
  expectSameResponses,
  type IsolatedService,
  type Network,
  newUser,
  openTab,
  recordEvents,
  startNetwork,
  type Tab,
  type TestUser,
} from '@wayquest/testing';
import { createRealtimeService } from '../src/index.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'friends', 'chat', 'realtime'] });
});
afterAll(() => network?.stop());

it('shows each event once, and the same friends online, in whatever order its events arrive', async () => {
  const history = recordEvents(network);
  const people = [await newUser(network), await newUser(network), await newUser(network)];
  const [ann, bob, cleo] = people;
  if (!ann || !bob || !cleo) throw new Error('too few people');
  const befriend = async (one: TestUser, other: TestUser) => {
    const { id } = await one.client.requestFriend({ body: { friendId: other.me.id } });
    await other.client.acceptFriend({ params: { id } });
    return { params: { id } };
  };
  await befriend(ann, bob);
  await bob.client.removeFriend(await befriend(bob, cleo));
  const { id: conversationId } = await ann.client.openConversation({ body: { friend: bob.me } });
  const { id: messageId } = await ann.client.sendMessage({ body: { text: 'Hi', conversationId } });
  await bob.client.sendMessage({ body: { text: 'Ho', conversationId } });
  await ann.client.deleteMessage({ params: { conversationId, id: messageId } });
  await bob.client.markConversationRead({ params: { id: conversationId }, body: { messageId } });
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

  const tabs = new Map<IsolatedService, Tab[]>();
  const responses = await expectSameResponses({
    service: 'realtime',
    create: createRealtimeService,
    history,
    async prepare(service) {
      tabs.set(service, await Promise.all(people.map(({ token }) => openTab(service.url, token))));
    },
    async readResponses(service) {
      const perTab = (tabs.get(service) ?? []).map(async (tab, index) => {
        const me = people[index]?.me.id ?? 0;
        const online = [me === ann.me.id ? bob.me.id : me === bob.me.id ? ann.me.id : 0].filter(Boolean);
        await eventually(() => expect(tab.onlineFriends()).toEqual(online));
        // Acknowledged after everything that was sent to the tab before.
        await tab.socket.emitWithAck('addUser', me);
        const { getUsers: _, ...received } = tab.received;
        // The order may differ.
        return Object.fromEntries(
          Object.entries(received).map(([name, all]) => [name, all.map((one) => JSON.stringify(one)).sort()]),
        );
      });
      const receivedByTab = await Promise.all(perTab);
      closeTabs();
      return receivedByTab;
    },
  });
  const counts = responses.map((received) =>
    Object.entries(received).map(([name, all]) => [name, all.length]),
  );
  expect(counts.map((all) => Object.fromEntries(all))).toMatchObject([
    { getMessage: 2, conversation: 1, read: 1, points: 0, friendRequest: 2 },
    { getMessage: 2, conversation: 2, read: 1, points: 1, friendRequest: 5 },
    { getMessage: 0, conversation: 1, read: 0, points: 0, friendRequest: 3 },
  ]);
});
