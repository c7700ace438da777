import {
  connected,
  messageDeleted,
  messageReceived,
  resyncRequested,
} from '../src/entities/realtime/events.ts';
import { olderRequested, selectThread, threadOpened } from '../src/features/messenger/threads-slice.ts';
import { problem, startApp } from './support/app.ts';
import { conversation, friend, me, message } from './support/fixtures.ts';
import { chatService, messages, openMessenger, texts } from './support/messenger.ts';

test('a message that directly follows the last one is shown without a call', async () => {
  const { receiveMessage, displayedTexts, calls, until } = await openMessenger(messages(1, 2));
  await until(() => calls.some(({ call }) => call.includes('after=500')));
  const callCount = calls.length;
  receiveMessage(message(3));
  await until(() => displayedTexts().length === 3);
  expect(displayedTexts()).toEqual(texts(1, 3));
  expect(calls.slice(callCount).filter(({ call }) => call.includes('/api/messages'))).toEqual([]);
});

test('a message that arrives twice is shown once', async () => {
  const { receiveMessage, displayedTexts, until } = await openMessenger(messages(1, 2));
  receiveMessage(message(3));
  receiveMessage(message(3));
  receiveMessage(message(2));
  await until(() => displayedTexts().length >= 3);
  expect(displayedTexts()).toEqual(texts(1, 3));
});

test('a gap in the ids is filled before the later message is shown', async () => {
  const { chat, receiveMessage, displayedTexts, until, store } = await openMessenger(messages(1, 2));
  const snapshots: string[][] = [];
  store.subscribe(() => snapshots.push(displayedTexts()));
  chat.saved.push(...messages(3, 6));
  receiveMessage(message(6));
  receiveMessage(message(5));
  await until(() => displayedTexts().length === 6);
  expect(displayedTexts()).toEqual(texts(1, 6));
  // No state in between had a gap.
  for (const snapshot of snapshots) expect(snapshot).toEqual(texts(1, snapshot.length));
});

test.each([
  ['a new connection', connected],
  ['a resync', resyncRequested],
])('after %s all missed messages are loaded in several pages', async (_why, event) => {
  const { chat, displayedTexts, until, socket } = await openMessenger(messages(1, 1));
  chat.saved.push(...messages(2, 290));
  socket.receive(event());
  await until(() => displayedTexts().length === 290);
  expect(displayedTexts()).toEqual(texts(1, 290));
});

test('after so much was missed that it takes too many pages, the newest messages are shown, and older ones on request (53)', async () => {
  const { chat, displayedTexts, store, until, socket } = await openMessenger(messages(1, 1));
  chat.saved.push(...messages(2, 1_290));
  socket.receive(resyncRequested());
  await until(() => displayedTexts().at(-1) === 'message 1290');
  expect(displayedTexts()).toEqual(texts(1_241, 1_290));
  store.dispatch(olderRequested(conversation.id));
  await until(() => displayedTexts().length === 100);
  expect(displayedTexts()).toEqual(texts(1_191, 1_290));
});

test('after a gap, deletions of all loaded messages are noticed (53)', async () => {
  const { chat, displayedTexts, store, until, socket } = await openMessenger(messages(1, 150));
  for (const count of [100, 150]) {
    store.dispatch(olderRequested(conversation.id));
    await until(() => displayedTexts().length === count);
  }
  const slip = chat.saved[20];
  if (slip) chat.saved[20] = { ...slip, text: '', deleted: true };
  socket.receive(resyncRequested());
  await until(() => displayedTexts()[20] === '');
});

test('the first message of an empty conversation is shown', async () => {
  const { chat, receiveMessage, displayedTexts, until } = await openMessenger();
  chat.saved.push(message(1));
  receiveMessage(message(1));
  await until(() => displayedTexts().length === 1);
});

test('messages that arrive while the first page is loading are not lost', async () => {
  const { responses } = chatService(messages(1, 3));
  const app = startApp({
    token: 'kept',
    social: true,
    responses: {
      ...responses,
      'GET /api/messages/5?limit=50': () => {
        app.socket.receive(messageReceived({ ...message(3), senderId: friend.id, receiverId: me.id }));
        return { body: messages(1, 2) };
      },
    },
  });
  await app.until((state) => state.conversations.list.state === 'ready' && app.socket.state.open === 1);
  app.store.dispatch(threadOpened(conversation.id));
  await app.until((state) => selectThread(state, conversation.id)?.messages.length === 3);
});

test('missed messages that cannot be loaded are retried', async () => {
  let failures = 1;
  const { receiveMessage, displayedTexts, until, chat } = await openMessenger(messages(1, 2), {
    'GET /api/messages/5?after=502&limit=200': () => {
      if (failures-- > 0) return problem('service-unavailable');
      return { body: messages(3, 4) };
    },
  });
  chat.saved.push(...messages(3, 4));
  receiveMessage(message(4));
  await until(() => displayedTexts().length === 4);
  expect(displayedTexts()).toEqual(texts(1, 4));
});

test('older messages are prepended in pages until the first one is loaded', async () => {
  const { store, displayedTexts, until } = await openMessenger(messages(1, 120));
  const thread = () => selectThread(store.getState(), conversation.id);
  expect(displayedTexts()).toEqual(texts(71, 120));
  store.dispatch(olderRequested(conversation.id));
  await until(() => thread()?.older.state === 'ready');
  expect(displayedTexts()).toEqual(texts(21, 120));
  expect(thread()?.complete).toBe(false);
  store.dispatch(olderRequested(conversation.id));
  await until(() => thread()?.complete === true);
  expect(displayedTexts()).toEqual(texts(1, 120));
});

test('a message that is deleted loses its text, here and in the list, also if older responses arrive (53, finding 18)', async () => {
  const { chat, store, displayedTexts, receiveMessage, until, socket } = await openMessenger(messages(1, 2));
  receiveMessage(message(3));
  chat.saved.push(message(3));
  await until(() => displayedTexts().length === 3);
  socket.receive(messageDeleted({ conversationId: conversation.id, messageId: message(3).id }));
  await until(() => displayedTexts()[2] === '');
  const last = () => store.getState().conversations.entities[conversation.id]?.last;
  expect(last()).toMatchObject({ id: message(3).id, text: '', deleted: true });

  chat.conversations = [{ ...conversation, last: message(3) }];
  socket.receive(resyncRequested());
  chat.saved.push(message(4));
  receiveMessage(message(4));
  await until((state) => displayedTexts().length === 4 && state.conversations.list.state === 'ready');
  expect(displayedTexts()).toEqual([...texts(1, 2), '', 'message 4']);
});

test('a message that was deleted while the connection was lost loses its text (53, finding 18)', async () => {
  const { chat, displayedTexts, until, socket } = await openMessenger(messages(1, 80));
  await until(() => displayedTexts().length === 50);
  chat.saved.splice(59, 1, message(60, { text: '', deleted: true }));
  socket.receive(resyncRequested());
  await until(() => displayedTexts().includes(''));
  expect(displayedTexts()).toEqual([...texts(31, 59), '', ...texts(61, 80)]);
});
