import { createClient, type Message } from '@wayquest/contracts';
import type { Service } from '@wayquest/platform/service';
import {
  type Network,
  newUser,
  startNetwork,
  type TestUser,
  testServiceDeps,
  withServiceStore,
} from '@wayquest/testing';
import { type ChatDeps, createChatService } from '../src/index.ts';

let network: Network;
const instances: Service[] = [];
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'friends', 'chat'] });
});
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.stop();
});
afterAll(() => network?.stop());

/** Starts another instance of chat; returns a function that creates its clients. */
async function startAnother(limits: Partial<ChatDeps> = {}) {
  const { logger, databasePrefix, services } = network;
  // On the in-process bus, only one instance of a service receives events.
  const bus = { ...network.bus, subscribe: async () => ({ close: async () => {} }) };
  const instance = createChatService({
    ...testServiceDeps({ logger, bus, databasePrefix }),
    messagesPerMinute: 1_000,
    friendsUrl: () => services.friends.url(),
    ...limits,
  });
  await instance.start();
  instances.push(instance);
  return (user: TestUser) => createClient({ baseUrl: instance.url, token: () => user.token });
}

async function friends() {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  const { id: requestId } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
  await bob.client.acceptFriend({ params: { id: requestId } });
  const { id } = await ann.client.openConversation({ body: { friend: bob.me } });
  await network.settle();
  return { ann, bob, id };
}

it('limits unanswered messages in all instances together, and notices a reply in each', async () => {
  const limits = { messagesUnanswered: 4 };
  const [first, second] = [await startAnother(limits), await startAnother(limits)];
  const sendIn =
    (conversationId: number) =>
    (client: TestUser['client']): Promise<Message> =>
      client.sendMessage({ body: { text: 'Hi', conversationId } });

  const concurrent = await friends();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) => sendIn(concurrent.id)((n % 2 ? first : second)(concurrent.ann))),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);

  const { ann, bob, id } = await friends();
  const send = sendIn(id);
  for (let n = 0; n < 4; n++) await send(first(ann));
  await expect(send(first(ann))).rejects.toMatchObject({ problem: { code: 'awaiting-reply' } });
  await send(second(bob));
  await send(first(ann));
});

const listOf = ({ client, me }: TestUser) => client.listConversations({ params: { userId: me.id } });

it('assigns consecutive ids when both members send through several instances', async () => {
  const { ann, bob, id } = await friends();
  const clientOf = await startAnother();
  const clients = [ann.client, bob.client, clientOf(ann), clientOf(bob)];
  const sent = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      clients[n % 4]?.sendMessage({
        // Each of Ann's messages is sent twice, once to each instance.
        body: { text: `${n}`, conversationId: id, ...(n % 2 === 0 && { clientId: `${n - (n % 4)}` }) },
      }),
    ),
  );
  const listed = await ann.client.listMessages({ params: { conversationId: id } });
  const [first] = listed;
  expect(listed.map((message) => message.id)).toEqual(listed.map((_, index) => (first?.id ?? 0) + index));
  expect(new Set(sent.map((message) => message?.id)).size).toBe(75);
  expect(listed).toHaveLength(75);

  await network.settle();
  expect(await listOf(bob)).toMatchObject([{ unread: 25, last: { id: listed.at(-1)?.id } }]);
  expect(await listOf(ann)).toMatchObject([{ unread: 50 }]);
});

it('reads newest messages and unread counts of conversations of an older version', async () => {
  const { ann, bob, id } = await friends();
  const send = (user: TestUser, text: string) =>
    user.client.sendMessage({ body: { text, conversationId: id } });
  for (const text of ['one', 'two', 'three']) await send(ann, text);
  const { id: messageId } = await send(bob, 'four');
  await send(ann, 'five');
  await network.settle();
  await bob.client.markConversationRead({ params: { id }, body: { messageId: messageId - 2 } });
  await network.settle();
  const before = [await listOf(ann), await listOf(bob)];
  expect(before).toMatchObject([
    [{ unread: 1, last: { text: 'five' } }],
    [{ unread: 2, last: { text: 'five' } }],
  ]);

  await withServiceStore(network, 'chat', async (store) => {
    const newFields = { last: 1, senderReadCount: 1, receiverReadCount: 1 };
    await store.collection('conversations').updateMany({}, { $unset: newFields });
    await store.collection('messages').updateMany({}, { $unset: { senderSequence: 1 } });
    await store.collection('migrations').deleteMany({});
  });
  expect(await listOf(bob)).toMatchObject([{ unread: 0, last: null }]);

  const clientOf = await startAnother();
  expect([await listOf(ann), await listOf(bob)]).toEqual(before);
  // Unread counts are correct for messages without a sequence number, too.
  await clientOf(bob).markConversationRead({ params: { id }, body: { messageId: messageId - 1 } });
  expect(await listOf(bob)).toMatchObject([{ unread: 1 }]);
  await clientOf(ann).sendMessage({ body: { text: 'six', conversationId: id } });
  await network.settle();
  expect(await listOf(bob)).toMatchObject([{ unread: 2, last: { text: 'six' } }]);
});
