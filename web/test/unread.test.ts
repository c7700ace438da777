import type { Conversation } from '@wayquest/contracts';
import {
  messagesSeen,
  selectConversation,
  selectConversations,
  selectUnreadMessages,
} from '../src/entities/conversations/slice.ts';
import {
  connected,
  friendRequestChanged,
  messageDeleted,
  onlineChanged,
  readReceived,
  resyncRequested,
  typingReceived,
} from '../src/entities/realtime/events.ts';
import { selectIsOnline, selectIsTyping } from '../src/entities/realtime/slice.ts';
import { conversation, friend, me, message } from './support/fixtures.ts';
import { messages, openMessenger } from './support/messenger.ts';

const currentConversation = (app: Awaited<ReturnType<typeof openMessenger>>) =>
  selectConversation(app.store.getState(), conversation.id);

const listCallCount = ({ calls }: Awaited<ReturnType<typeof openMessenger>>) =>
  calls.filter(({ call }) => call === 'GET /api/conversations/7').length;

/** Returns the conversation as the server lists it, with its newest message. */
const conversationUpTo = (number: number, changes: Partial<Conversation> = {}): Conversation => {
  const { id, sender, text, createdAt } = message(number);
  return { ...conversation, last: { id, sender, text, createdAt }, ...changes };
};

test('a friend’s message counts as unread immediately and only once, and an own message never', async () => {
  const app = await openMessenger(messages(1, 1));
  app.chat.conversations = [conversationUpTo(1)];
  app.socket.receive(connected());
  await app.until(() => currentConversation(app)?.last?.id === 501);
  const before = listCallCount(app);
  app.receiveMessage(message(2, { sender: me.id }));
  app.receiveMessage(message(3));
  app.receiveMessage(message(3));
  await app.until(() => currentConversation(app)?.last?.text === 'message 3');
  expect(selectUnreadMessages(app.store.getState())).toBe(1);
  // No message is missing, so the list is not requested again, also not after the next message.
  app.receiveMessage(message(4));
  await app.until(() => currentConversation(app)?.last?.text === 'message 4');
  expect(listCallCount(app)).toBe(before);
});

test('after a missed message the server’s count applies, unless it is older', async () => {
  const app = await openMessenger(messages(1, 1));
  app.chat.conversations = [conversationUpTo(1)];
  app.socket.receive(connected());
  await app.until(() => currentConversation(app)?.last?.id === 501);
  app.chat.conversations = [conversationUpTo(3, { unread: 2 })];
  app.receiveMessage(message(3));
  await app.until((state) => selectUnreadMessages(state) === 2);
  app.receiveMessage(message(4));
  app.socket.receive(connected());
  await app.until((state) => state.conversations.list.state === 'ready');
  expect(currentConversation(app)).toMatchObject({ unread: 3, last: { id: 504 } });
});

test('a message that is deleted before it is read no longer counts as unread (53)', async () => {
  const app = await openMessenger(messages(1, 1));
  app.chat.conversations = [conversationUpTo(3, { unread: 2 })];
  app.socket.receive(connected());
  app.socket.receive(resyncRequested());
  await app.until((state) => selectUnreadMessages(state) === 2);
  app.chat.conversations = [conversationUpTo(3, { unread: 1 })];
  app.socket.receive(messageDeleted({ conversationId: conversation.id, messageId: message(2).id }));
  await app.until((state) => selectUnreadMessages(state) === 1);
});

test('the list is sorted by unread messages, then by the newest message', async () => {
  const app = await openMessenger();
  const at = (day: number) => ({ ...message(day), createdAt: `2026-05-0${day}T12:00:00.000Z` });
  app.chat.conversations = [
    { ...conversation, last: at(1), unread: 1 },
    { ...conversation, id: 6, user: { ...friend, id: 10 }, last: at(2) },
    { ...conversation, id: 8, user: { ...friend, id: 12 } },
    { ...conversation, id: 7, user: { ...friend, id: 11 }, last: at(3) },
  ];
  app.socket.receive(connected());
  await app.until((state) => selectConversations(state).length === 4);
  expect(selectConversations(app.store.getState()).map(({ id }) => id)).toEqual([5, 7, 6, 8]);
});

test('a conversation is closed when the friendship ends, and open when it begins again', async () => {
  const app = await openMessenger();
  const change = (status: 'removed' | 'accepted') =>
    app.socket.receive(friendRequestChanged({ requestId: 31, userIds: [friend.id, me.id], status }));
  change('removed');
  await app.until(() => currentConversation(app)?.can?.message === false);
  change('accepted');
  await app.until(() => currentConversation(app)?.can?.message === true);
});

test('seen messages are no longer unread, and their read mark is sent to the server', async () => {
  const read = { ...conversation, readId: 503 };
  const app = await openMessenger(messages(1, 3), { 'PUT /api/conversations/5/read': { body: read } });
  app.chat.conversations = [read];
  app.store.dispatch(messagesSeen({ conversationId: 5, messageId: 503 }));
  expect(currentConversation(app)).toMatchObject({ readId: 503, unread: 0 });
  await app.until(() => app.calls.some(({ call }) => call === 'PUT /api/conversations/5/read'));
  expect(app.calls.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({ messageId: 503 });
});

test('messages read in another tab are marked as read; the list is requested only if later messages are unread', async () => {
  const app = await openMessenger(messages(1, 3));
  app.chat.conversations = [conversationUpTo(3, { unread: 3 })];
  app.socket.receive(connected());
  await app.until((state) => selectUnreadMessages(state) === 3);
  const before = listCallCount(app);
  app.socket.receive(readReceived({ conversationId: 5, userId: me.id, messageId: 503 }));
  await app.until((state) => selectUnreadMessages(state) === 0);
  expect(currentConversation(app)?.readId).toBe(503);
  app.receiveMessage(message(4));
  app.receiveMessage(message(5));
  app.chat.conversations = [conversationUpTo(5, { readId: 504, unread: 1 })];
  app.socket.receive(readReceived({ conversationId: 5, userId: me.id, messageId: 504 }));
  await app.until((state) => selectUnreadMessages(state) === 1);
  expect(listCallCount(app)).toBe(before + 1);
});

test('the friend’s read mark does not move back with an older event or an older response', async () => {
  const app = await openMessenger(messages(1, 3));
  app.socket.receive(readReceived({ conversationId: 5, userId: friend.id, messageId: 503 }));
  app.socket.receive(readReceived({ conversationId: 5, userId: friend.id, messageId: 501 }));
  await app.until(() => currentConversation(app)?.otherReadId !== null);
  expect(currentConversation(app)?.otherReadId).toBe(503);
  app.chat.conversations = [conversationUpTo(3, { otherReadId: 501 })];
  app.socket.receive(connected());
  await app.until(() => currentConversation(app)?.last?.id === 503);
  expect(currentConversation(app)?.otherReadId).toBe(503);
});

test('each event of online friends replaces the previous list', async () => {
  const app = await openMessenger();
  app.socket.receive(onlineChanged([{ userId: friend.id }]));
  await app.until((state) => selectIsOnline(state, friend.id));
  app.socket.receive(onlineChanged([]));
  await app.until((state) => !selectIsOnline(state, friend.id));
});

test('a message ends the typing indicator', async () => {
  const app = await openMessenger(messages(1, 1));
  app.socket.receive(typingReceived({ senderId: friend.id }));
  await app.until((state) => selectIsTyping(state, friend.id));
  app.receiveMessage(message(2));
  await app.until((state) => !selectIsTyping(state, friend.id));
});
