import { messagesSeen, selectConversation, selectUnread } from '../src/entities/conversations/slice.ts';
import { onlineChanged, readHeard, typingHeard } from '../src/entities/realtime/events.ts';
import { selectIsOnline, selectIsTyping } from '../src/entities/realtime/slice.ts';
import { conversation, friend, me, message } from './support/fixtures.ts';
import { messages, openMessenger } from './support/messenger.ts';

const first = (app: Awaited<ReturnType<typeof openMessenger>>) =>
  selectConversation(app.store.getState(), conversation.id);

test('a friend’s message counts as unread at once, one’s own never, and the server has the last word', async () => {
  const app = await openMessenger(messages(1, 1));
  app.arrive(message(2, { sender: me.id }));
  app.chat.conversations = [{ ...conversation, unread: 1 }];
  app.arrive(message(3));
  await app.until((state) => selectUnread(state) === 1);
  // The same again, as a broker may deliver it: counted here, corrected by the list.
  app.arrive(message(3));
  await app.until((state) => selectUnread(state) === 2);
  await app.until((state) => selectUnread(state) === 1);
});

test('what is seen is unread no more, and the server is told how far', async () => {
  const read = { ...conversation, readId: 503 };
  const app = await openMessenger(messages(1, 3), { 'PUT /api/conversations/5/read': { body: read } });
  app.chat.conversations = [read];
  app.store.dispatch(messagesSeen({ conversationId: 5, messageId: 503 }));
  expect(first(app)).toMatchObject({ readId: 503, unread: 0 });
  await app.until(() => app.calls.some(({ call }) => call === 'PUT /api/conversations/5/read'));
  expect(app.calls.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({ messageId: 503 });
});

test('what was read in another tab is read here too', async () => {
  const app = await openMessenger(messages(1, 3));
  app.chat.conversations = [{ ...conversation, unread: 2 }];
  app.arrive(message(4));
  await app.until((state) => selectUnread(state) === 2);
  app.chat.conversations = [{ ...conversation, readId: 504 }];
  app.socket.tell(readHeard({ conversationId: 5, userId: me.id, messageId: 504 }));
  await app.until((state) => selectUnread(state) === 0);
  expect(first(app)?.readId).toBe(504);
});

test('how far the friend has read never goes back', async () => {
  const app = await openMessenger(messages(1, 3));
  app.socket.tell(readHeard({ conversationId: 5, userId: friend.id, messageId: 503 }));
  app.socket.tell(readHeard({ conversationId: 5, userId: friend.id, messageId: 501 }));
  await app.until(() => first(app)?.otherReadId !== null);
  expect(first(app)?.otherReadId).toBe(503);
});

test('who is online is the last list that was heard', async () => {
  const app = await openMessenger();
  app.socket.tell(onlineChanged([{ userId: friend.id }]));
  await app.until((state) => selectIsOnline(state, friend.id));
  app.socket.tell(onlineChanged([]));
  await app.until((state) => !selectIsOnline(state, friend.id));
});

test('a message ends the writing that was shown before it', async () => {
  const app = await openMessenger(messages(1, 1));
  app.socket.tell(typingHeard({ senderId: friend.id }));
  await app.until((state) => selectIsTyping(state, friend.id));
  app.arrive(message(2));
  await app.until((state) => !selectIsTyping(state, friend.id));
});
