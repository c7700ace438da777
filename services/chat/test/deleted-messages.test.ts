import { createClient, messageDeletableMs } from '@wayquest/contracts';
import {
  createTestClock,
  type Network,
  newEvent,
  newUser,
  recordEvents,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';

const clock = createTestClock(Date.now());
let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'friends', 'chat'], clock });
});
afterAll(() => network?.stop());

/** Creates two friends and their conversation. */
async function friends() {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  const { id: requestId } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
  await bob.client.acceptFriend({ params: { id: requestId } });
  const { id } = await ann.client.openConversation({ body: { friend: bob.me } });
  const send = (from: TestUser, text: string, clientId?: string) =>
    from.client.sendMessage({ body: { text, conversationId: id, clientId } });
  const list = (user: TestUser) => user.client.listMessages({ params: { conversationId: id } });
  const conversationOf = async (user: TestUser) =>
    (await user.client.listConversations({ params: { userId: user.me.id } })).find(
      (conversation) => conversation.id === id,
    );
  return { ann, bob, id, requestId, send, list, conversationOf };
}

const erase = (user: TestUser, conversationId: number, id: number) =>
  user.client.deleteMessage({ params: { conversationId, id } });
const archived = async ({ token }: TestUser) => {
  const chat = createClient({ baseUrl: network.services.chat.url(), token: () => token });
  const { records } = await chat.listOwnChatData({ query: { cursor: '1' } });
  return records.flatMap(({ kind, data }) => (kind === 'messages' ? [data.text] : []));
};

it('a deleted message leaves its place without its text, for both, in previews and in archives (53, finding 18)', async () => {
  const { ann, bob, id, send, list, conversationOf } = await friends();
  const [kept, slip] = [await send(ann, 'Hello', 'c-1'), await send(ann, 'My password', 'c-2')];
  await network.settle();
  const events = recordEvents(network);
  await erase(ann, id, slip.id);
  await erase(ann, id, slip.id);
  await network.settle();

  for (const reader of [ann, bob]) {
    const isSender = reader === ann;
    expect(await list(reader)).toEqual([
      { ...kept, can: { delete: isSender, report: !isSender } },
      { ...slip, text: '', deleted: true, can: { delete: false, report: false } },
    ]);
    expect(await conversationOf(reader)).toMatchObject({ last: { id: slip.id, text: '', deleted: true } });
    expect(await archived(reader)).toEqual(['Hello']);
  }
  // It no longer counts as unread, and read marks and ids go on as before.
  expect(await conversationOf(bob)).toMatchObject({ unread: 1 });
  await bob.client.markConversationRead({ params: { id }, body: { messageId: slip.id } });
  expect(await conversationOf(bob)).toMatchObject({ unread: 0, readId: slip.id });
  expect(events.filter(({ name }) => name === 'message.deleted.v1').map(({ data }) => data)).toEqual([
    { conversationId: id, messageId: slip.id, sender: ann.me.id, receiverId: bob.me.id },
  ]);

  // A repeated call for the deleted message does not bring its text back.
  expect(await send(ann, 'My password', 'c-2')).toMatchObject({ id: slip.id, text: '', deleted: true });
  expect(await send(bob, 'Hi')).toMatchObject({ id: slip.id + 1 });
  await network.settle();
  const last = (await conversationOf(ann))?.last;
  expect([last?.text, last?.deleted]).toEqual(['Hi', undefined]);
  // One before the newest leaves the preview alone.
  await erase(ann, id, kept.id);
  await network.settle();
  expect(await conversationOf(ann)).toMatchObject({ last: { text: 'Hi' } });
});

it('deleting is for the sender, within an hour, and can be repeated later (53, finding 18)', async () => {
  const { ann, bob, id, requestId, send, list } = await friends();
  const other = await friends();
  const [early, late] = [await send(ann, 'early'), await send(ann, 'late')];
  const rejected = (problem: string) => ({ problem: { code: problem } });
  await expect(erase(bob, id, late.id)).rejects.toMatchObject(rejected('forbidden'));
  await expect(erase(other.ann, id, late.id)).rejects.toMatchObject(rejected('forbidden'));
  await expect(erase(ann, id, late.id + 1)).rejects.toMatchObject(rejected('message-not-found'));
  await expect(erase(other.ann, other.id, late.id)).rejects.toMatchObject(rejected('message-not-found'));
  await expect(erase(ann, 999_999, late.id)).rejects.toMatchObject(rejected('conversation-not-found'));

  // Also after the friendship has ended.
  await bob.client.removeFriend({ params: { id: requestId } });
  await network.settle();
  await clock.advance(messageDeletableMs);
  expect((await list(ann)).map(({ can }) => can?.delete)).toEqual([true, true]);
  await erase(ann, id, early.id);
  await clock.advance(1);
  expect((await list(ann)).map(({ can }) => can?.delete)).toEqual([false, false]);
  await erase(ann, id, early.id);
  await expect(erase(ann, id, late.id)).rejects.toMatchObject(rejected('message-too-old'));
  expect((await list(bob)).map(({ text }) => text)).toEqual(['', 'late']);
});

it('messages that are deleted before they are read do not count as unread, each once (53)', async () => {
  const { ann, bob, id, send, conversationOf } = await friends();
  const unread = async () => (await conversationOf(bob))?.unread;
  const sent = [];
  for (const text of ['one', 'two', 'three', 'four']) sent.push(await send(ann, text));
  const [one, two, three, four] = sent;
  if (!one || !two || !three || !four) throw new Error('a message is missing');
  await bob.client.markConversationRead({ params: { id }, body: { messageId: one.id } });
  for (const { id: messageId } of [one, three]) await erase(ann, id, messageId);
  await network.settle();
  expect(await unread()).toBe(2);
  const deleted = { conversationId: id, messageId: three.id, sender: ann.me.id, receiverId: bob.me.id };
  await network.bus.publish(newEvent('message.deleted.v1', deleted));
  await network.settle();
  expect(await unread()).toBe(2);
  await bob.client.markConversationRead({ params: { id }, body: { messageId: two.id } });
  expect(await unread()).toBe(1);
  await bob.client.markConversationRead({ params: { id }, body: { messageId: four.id } });
  expect(await unread()).toBe(0);
  await erase(ann, id, four.id);
  await send(ann, 'five');
  await network.settle();
  expect(await unread()).toBe(1);
});

it('an own conversation and its messages say what the caller can do (53.1)', async () => {
  const { ann, bob, id, requestId, send, list, conversationOf } = await friends();
  expect((await send(ann, 'Hello')).can).toEqual({ delete: true, report: false });
  expect((await list(bob))[0]?.can).toEqual({ delete: false, report: true });
  expect((await conversationOf(bob))?.can).toEqual({ message: true });
  await bob.client.removeFriend({ params: { id: requestId } });
  await network.settle();
  for (const reader of [ann, bob]) expect((await conversationOf(reader))?.can).toEqual({ message: false });
  await bob.client.blockUser({ body: { userId: ann.me.id } });
  await network.settle();
  expect(await conversationOf(ann)).toBeUndefined();
  expect(
    (await bob.client.listConversations({ params: { userId: bob.me.id } })).map((one) => one.id),
  ).not.toContain(id);
});
