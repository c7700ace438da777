import {
  monitoredStoreUrl,
  type Network,
  newUser,
  recordCommands,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';

let network: Network;
/** Commands that chat has sent to its store. */
let commands: ReturnType<typeof recordCommands>;

beforeAll(async () => {
  network = await startNetwork({
    services: ['auth', 'users', 'friends', 'chat'],
    mongo: monitoredStoreUrl(),
  });
  commands = recordCommands(`${network.databasePrefix}_chat`);
});
afterAll(() => network?.stop());

async function conversationWith(ann: TestUser, bob: TestUser): Promise<number> {
  const { id: requestId } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
  await bob.client.acceptFriend({ params: { id: requestId } });
  const { id } = await ann.client.openConversation({ body: { friend: bob.me } });
  return id;
}

/** Returns the names of the store commands that chat sends during a call. */
async function costOf(call: () => Promise<unknown>): Promise<string[]> {
  await network.settle();
  commands.length = 0;
  await call();
  const cost = commands.map(({ commandName }) => commandName);
  await network.settle();
  return cost;
}

it('lists any number of conversations with four store commands', async () => {
  const ann = await newUser(network);
  for (let n = 0; n < 5; n++) {
    const id = await conversationWith(ann, await newUser(network));
    await ann.client.sendMessage({ body: { text: 'Hi', conversationId: id } });
  }
  const cost = await costOf(() => ann.client.listConversations({ params: { userId: ann.me.id } }));
  expect(cost).toEqual(['find', 'find', 'find', 'find']);
});

it('sends a message with one read and one write', async () => {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  const conversationId = await conversationWith(ann, bob);
  const send = () => ann.client.sendMessage({ body: { text: 'Hi', conversationId } });
  await send();
  const cost = await costOf(send);
  expect(cost.slice(0, 2)).toEqual(['find', 'insert']);
  // After the response: the conversation's newest message, and the relay of the outbox.
  expect(cost.slice(2).filter((name) => name !== 'update')).toEqual([]);
});

it('writes concurrent messages of a conversation in fewer commands than messages', async () => {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  const conversationId = await conversationWith(ann, bob);
  const send = (n: number) =>
    (n % 2 ? ann : bob).client.sendMessage({ body: { text: `${n}`, conversationId } });
  await send(0);
  const cost = await costOf(() => Promise.all(Array.from({ length: 60 }, (_, n) => send(n))));
  expect(cost.filter((name) => name === 'insert').length).toBeLessThan(60);
});
