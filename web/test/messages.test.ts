import { connected, messageReceived, resyncRequested } from '../src/entities/realtime/events.ts';
import { olderRequested, selectThread, threadOpened } from '../src/features/messenger/threads-slice.ts';
import { problem, startApp } from './support/app.ts';
import { conversation, friend, me, message } from './support/fixtures.ts';
import { chatService, messages, openMessenger, texts } from './support/messenger.ts';

test('a message that arrives as the next one is shown without a call', async () => {
  const { arrive, shown, calls, until } = await openMessenger(messages(1, 2));
  await until(() => calls.some(({ call }) => call.includes('after=502')));
  const asked = calls.length;
  arrive(message(3));
  await until(() => shown().length === 3);
  expect(shown()).toEqual(texts(1, 3));
  expect(calls.slice(asked).filter(({ call }) => call.includes('/api/messages'))).toEqual([]);
});

test('a message that arrives twice is shown once', async () => {
  const { arrive, shown, until } = await openMessenger(messages(1, 2));
  arrive(message(3));
  arrive(message(3));
  arrive(message(2));
  await until(() => shown().length >= 3);
  expect(shown()).toEqual(texts(1, 3));
});

test('a gap in the ids is filled before the later message is shown', async () => {
  const { chat, arrive, shown, until, store } = await openMessenger(messages(1, 2));
  const seen: string[][] = [];
  store.subscribe(() => seen.push(shown()));
  chat.saved.push(...messages(3, 6));
  arrive(message(6));
  arrive(message(5));
  await until(() => shown().length === 6);
  expect(shown()).toEqual(texts(1, 6));
  // Never was there a moment with a hole.
  for (const moment of seen) expect(moment).toEqual(texts(1, moment.length));
});

test.each([
  ['a new connection', connected],
  ['a resync', resyncRequested],
])('after %s all missed messages are loaded, however many', async (_why, event) => {
  const { chat, shown, until, socket } = await openMessenger(messages(1, 1));
  chat.saved.push(...messages(2, 290));
  socket.tell(event());
  await until(() => shown().length === 290);
  expect(shown()).toEqual(texts(1, 290));
});

test('the first message of an empty conversation is shown, too', async () => {
  const { chat, arrive, shown, until } = await openMessenger();
  chat.saved.push(message(1));
  arrive(message(1));
  await until(() => shown().length === 1);
});

test('messages that arrive while the first page is loading are not lost', async () => {
  const { answers } = chatService(messages(1, 3));
  const app = startApp({
    token: 'kept',
    social: true,
    answers: {
      ...answers,
      'GET /api/messages/5?limit=50': () => {
        app.socket.tell(messageReceived({ ...message(3), senderId: friend.id, receiverId: me.id }));
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
  const { arrive, shown, until, chat } = await openMessenger(messages(1, 2), {
    'GET /api/messages/5?after=502&limit=200': () => {
      if (failures-- > 0) return problem('service-unavailable');
      return { body: messages(3, 4) };
    },
  });
  chat.saved.push(...messages(3, 4));
  arrive(message(4));
  await until(() => shown().length === 4);
  expect(shown()).toEqual(texts(1, 4));
});

test('older messages are prepended, until the first one is there', async () => {
  const { store, shown, until } = await openMessenger(messages(1, 120));
  const thread = () => selectThread(store.getState(), conversation.id);
  expect(shown()).toEqual(texts(71, 120));
  store.dispatch(olderRequested(conversation.id));
  await until(() => thread()?.older.state === 'ready');
  expect(shown()).toEqual(texts(21, 120));
  expect(thread()?.complete).toBe(false);
  store.dispatch(olderRequested(conversation.id));
  await until(() => thread()?.complete === true);
  expect(shown()).toEqual(texts(1, 120));
});
