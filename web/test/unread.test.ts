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
  onlineChanged,
  readReceived,
  typingReceived,
} from '../src/entities/realtime/events.ts';
import { selectIsOnline, selectIsTyping } from '../src/entities/realtime/slice.ts';
import { conversation, friend, me, message } from './support/fixtures.ts';
import { messages, openMessenger } from './support/messenger.ts';

const first = (app: Awaited<ReturnType<typeof openMessenger>>) =>
  selectConversation(app.store.getState(), conversation.id);

const listed = ({ calls }: Awaited<ReturnType<typeof openMessenger>>) =>
  calls.filter(({ call }) => call === 'GET /api/conversations/7').length;

/** The conversation with its newest message, as the server lists it. */
const upTo = (number: number, changes: Partial<Conversation> = {}): Conversation => {
  const { id, sender, text, createdAt } = message(number);
  return { ...conversation, last: { id, sender, text, createdAt }, ...changes };
};

test('a friend’s message counts as unread immediately, one’s own never, and a duplicate once', async () => {
  const app = await openMessenger(messages(1, 1));
  app.chat.conversations = [upTo(1)];
  app.socket.tell(connected());
  await app.until(() => first(app)?.last?.id === 501);
  const before = listed(app);
  app.arrive(message(2, { sender: me.id }));
  app.arrive(message(3));
  app.arrive(message(3));
  await app.until(() => first(app)?.last?.text === 'message 3');
  expect(selectUnreadMessages(app.store.getState())).toBe(1);
  // Nothing is missing, so nothing is requested: not by the time the message after it has been handled either.
  app.arrive(message(4));
  await app.until(() => first(app)?.last?.text === 'message 4');
  expect(listed(app)).toBe(before);
});

test('after a missed message the server’s count applies, unless it is older', async () => {
  const app = await openMessenger(messages(1, 1));
  app.chat.conversations = [upTo(1)];
  app.socket.tell(connected());
  await app.until(() => first(app)?.last?.id === 501);
  app.chat.conversations = [upTo(3, { unread: 2 })];
  app.arrive(message(3));
  await app.until((state) => selectUnreadMessages(state) === 2);
  app.arrive(message(4));
  app.socket.tell(connected());
  await app.until((state) => state.conversations.list.state === 'ready');
  expect(first(app)).toMatchObject({ unread: 3, last: { id: 504 } });
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
  app.socket.tell(connected());
  await app.until((state) => selectConversations(state).length === 4);
  expect(selectConversations(app.store.getState()).map(({ id }) => id)).toEqual([5, 7, 6, 8]);
});

test('a conversation is open while the two are friends', async () => {
  const app = await openMessenger();
  const change = (status: 'removed' | 'accepted') =>
    app.socket.tell(friendRequestChanged({ requestId: 31, userIds: [friend.id, me.id], status }));
  change('removed');
  await app.until(() => first(app)?.open === false);
  change('accepted');
  await app.until(() => first(app)?.open === true);
});

test('messages that were seen are no longer unread, and the server gets the mark', async () => {
  const read = { ...conversation, readId: 503 };
  const app = await openMessenger(messages(1, 3), { 'PUT /api/conversations/5/read': { body: read } });
  app.chat.conversations = [read];
  app.store.dispatch(messagesSeen({ conversationId: 5, messageId: 503 }));
  expect(first(app)).toMatchObject({ readId: 503, unread: 0 });
  await app.until(() => app.calls.some(({ call }) => call === 'PUT /api/conversations/5/read'));
  expect(app.calls.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({ messageId: 503 });
});

test('messages read in another tab are read here, too; the server is asked for later ones', async () => {
  const app = await openMessenger(messages(1, 3));
  app.chat.conversations = [upTo(3, { unread: 3 })];
  app.socket.tell(connected());
  await app.until((state) => selectUnreadMessages(state) === 3);
  const before = listed(app);
  app.socket.tell(readReceived({ conversationId: 5, userId: me.id, messageId: 503 }));
  await app.until((state) => selectUnreadMessages(state) === 0);
  expect(first(app)?.readId).toBe(503);
  app.arrive(message(4));
  app.arrive(message(5));
  app.chat.conversations = [upTo(5, { readId: 504, unread: 1 })];
  app.socket.tell(readReceived({ conversationId: 5, userId: me.id, messageId: 504 }));
  await app.until((state) => selectUnreadMessages(state) === 1);
  expect(listed(app)).toBe(before + 1);
});

test('the friend’s read mark never goes back, neither by an older event nor by an older response', async () => {
  const app = await openMessenger(messages(1, 3));
  app.socket.tell(readReceived({ conversationId: 5, userId: friend.id, messageId: 503 }));
  app.socket.tell(readReceived({ conversationId: 5, userId: friend.id, messageId: 501 }));
  await app.until(() => first(app)?.otherReadId !== null);
  expect(first(app)?.otherReadId).toBe(503);
  app.chat.conversations = [upTo(3, { otherReadId: 501 })];
  app.socket.tell(connected());
  await app.until(() => first(app)?.last?.id === 503);
  expect(first(app)?.otherReadId).toBe(503);
});

test('the latest list of online friends applies', async () => {
  const app = await openMessenger();
  app.socket.tell(onlineChanged([{ userId: friend.id }]));
  await app.until((state) => selectIsOnline(state, friend.id));
  app.socket.tell(onlineChanged([]));
  await app.until((state) => !selectIsOnline(state, friend.id));
});

test('a message ends the typing indicator', async () => {
  const app = await openMessenger(messages(1, 1));
  app.socket.tell(typingReceived({ senderId: friend.id }));
  await app.until((state) => selectIsTyping(state, friend.id));
  app.arrive(message(2));
  await app.until((state) => !selectIsTyping(state, friend.id));
});
