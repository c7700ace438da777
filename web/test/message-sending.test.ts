import type { NewMessage } from '@wayquest/contracts';
import { connected } from '../src/entities/realtime/events.ts';
import { messageSubmitted, retryRequested, selectThread } from '../src/features/messenger/threads-slice.ts';
import { problem, type StubResponses } from './support/app.ts';
import { conversation, me, message } from './support/fixtures.ts';
import { messages, openMessenger } from './support/messenger.ts';

/** Stubs a service that saves each client id once. */
function savingService(saved: ReturnType<typeof messages>) {
  return (body: unknown) => {
    const { text, clientId = null } = body as NewMessage;
    const existing = saved.find((each) => each.clientId === clientId);
    if (existing) return { status: 200, body: existing };
    const created = message(saved.length + 1, { sender: me.id, text, clientId });
    saved.push(created);
    return { status: 201, body: created };
  };
}

async function openComposer(stubResponses: (save: ReturnType<typeof savingService>) => StubResponses) {
  const saved = messages(1, 2);
  const app = await openMessenger(saved, stubResponses(savingService(saved)));
  const outgoing = () => selectThread(app.store.getState(), conversation.id)?.outgoing ?? [];
  return {
    ...app,
    outgoing,
    send: (text: string) => app.store.dispatch(messageSubmitted(conversation.id, text)),
  };
}

test('a message is shown as sending immediately, then as saved, and announced over the socket', async () => {
  const { send, outgoing, displayedTexts, until, socket } = await openComposer((save) => ({
    'POST /api/messages': save,
  }));
  send('  hello ');
  expect(outgoing()).toMatchObject([{ text: 'hello', state: 'sending' }]);
  await until(() => displayedTexts().includes('hello'));
  expect(outgoing()).toEqual([]);
  await until(() => socket.emitted.some(({ name }) => name === 'sendMessage'));
  expect(socket.emitted).toContainEqual({
    name: 'sendMessage',
    data: { senderId: me.id, receiverId: conversation.user.id, text: 'hello' },
  });
});

test('messages are saved in the order in which they were sent', async () => {
  const { send, displayedTexts, until } = await openComposer((save) => ({ 'POST /api/messages': save }));
  for (const text of ['one', 'two', 'three']) send(text);
  await until(() => displayedTexts().length === 5);
  expect(displayedTexts().slice(2)).toEqual(['one', 'two', 'three']);
});

test('later messages wait for a failed one; a retry sends all of them in order, with the same client ids', async () => {
  let isUnavailable = true;
  const { send, outgoing, displayedTexts, until, calls, store } = await openComposer((save) => ({
    'POST /api/messages': (body) => (isUnavailable ? problem('service-unavailable') : save(body)),
  }));
  send('one');
  send('two');
  await until(() => outgoing().every(({ state }) => state === 'failed'));
  expect(outgoing()[0]?.error).toContain('temporarily unavailable');
  isUnavailable = false;
  store.dispatch(retryRequested({ id: conversation.id }));
  await until(() => displayedTexts().length === 4);
  expect(displayedTexts().slice(2)).toEqual(['one', 'two']);
  const bodies = calls
    .filter(({ call }) => call === 'POST /api/messages')
    .map(({ body }) => body as NewMessage);
  expect(bodies.map(({ text }) => text)).toEqual(['one', 'one', 'two']);
  expect(bodies[0]?.clientId).toBe(bodies[1]?.clientId);
});

test('a message waits without an error while there is no network, and with one that the server gave (53, finding 20)', async () => {
  let respond: () => ReturnType<typeof problem> = () => {
    throw new TypeError('network');
  };
  const { send, outgoing, until, store } = await openComposer(() => ({
    'POST /api/messages': () => respond(),
  }));
  send('from the tunnel');
  await until(() => outgoing()[0]?.state === 'failed');
  expect(outgoing()[0]).toMatchObject({ error: null, refused: false });
  respond = () => problem('not-friends');
  store.dispatch(retryRequested({ id: conversation.id }));
  await until(() => outgoing()[0]?.refused === true);
  expect(outgoing()[0]?.error).toContain('only message friends');
});

test('a message that was saved although its response was lost is shown once after a retry', async () => {
  let isResponseLost = true;
  const { send, outgoing, displayedTexts, until, store } = await openComposer((save) => ({
    'POST /api/messages': (body) => {
      const response = save(body);
      if (!isResponseLost) return response;
      isResponseLost = false;
      throw new TypeError('network');
    },
  }));
  send('only once');
  await until(() => outgoing()[0]?.state === 'failed');
  store.dispatch(retryRequested({ id: conversation.id }));
  await until(() => outgoing().length === 0);
  expect(displayedTexts().filter((text) => text === 'only once')).toHaveLength(1);
});

test('a message that the socket delivers before the response is shown once', async () => {
  const app = await openComposer((save) => ({
    'POST /api/messages': (body) => {
      const response = save(body);
      app.receiveMessage(response.body);
      return response;
    },
  }));
  app.send('quick');
  await app.until(() => app.displayedTexts().includes('quick') && app.outgoing().length === 0);
  expect(app.displayedTexts().filter((text) => text === 'quick')).toHaveLength(1);
});

test('a sent message with a gap before its id is shown after the friend’s messages in between', async () => {
  const app = await openComposer((save) => ({
    'POST /api/messages': (body) => {
      app.chat.saved.push(message(3));
      return save(body);
    },
  }));
  app.send('after yours');
  await app.until(() => app.displayedTexts().length === 4);
  expect(app.displayedTexts().slice(2)).toEqual(['message 3', 'after yours']);
});

test('after reconnecting a failed message is retried, and a rejected one is not', async () => {
  let outcome: 'unavailable' | 'rejected' | 'saved' = 'unavailable';
  const { send, outgoing, displayedTexts, until, socket, calls } = await openComposer((save) => ({
    'POST /api/messages': (body) => {
      if (outcome === 'saved') return save(body);
      return problem(outcome === 'unavailable' ? 'service-unavailable' : 'not-friends');
    },
  }));
  send('one');
  await until(() => outgoing()[0]?.state === 'failed');
  outcome = 'saved';
  socket.receive(connected());
  await until(() => displayedTexts().includes('one'));

  outcome = 'rejected';
  send('two');
  await until(() => outgoing()[0]?.state === 'failed');
  const callCount = calls.length;
  outcome = 'saved';
  socket.receive(connected());
  await until((state) => state.conversations.list.state === 'ready');
  expect(calls.slice(callCount).filter(({ call }) => call === 'POST /api/messages')).toEqual([]);
  expect(outgoing()).toMatchObject([{ text: 'two', refused: true }]);
});

test('unsent messages are stored and sent at the next visit with the same client ids, unless they are too old', async () => {
  const saved = messages(1, 2);
  const firstVisit = await openMessenger(saved, {
    'POST /api/messages': () => problem('service-unavailable'),
  });
  firstVisit.store.dispatch(messageSubmitted(conversation.id, 'still here'));
  await firstVisit.until((state) => selectThread(state, conversation.id)?.outgoing[0]?.state === 'failed');
  const [stored] = firstVisit.stored.unsent;
  expect(stored).toMatchObject({ conversationId: conversation.id, text: 'still here' });

  const outdated = { ...stored, clientId: 'old', text: 'too late', createdAt: '2026-05-01T12:00:00.000Z' };
  const app = await openMessenger(
    saved,
    { 'POST /api/messages': savingService(saved) },
    { unsent: stored ? [stored] : [] },
  );
  await app.until(() => app.displayedTexts().includes('still here'));
  expect(app.calls.find(({ call }) => call === 'POST /api/messages')?.body).toMatchObject({
    clientId: stored?.clientId,
  });
  await app.until(() => app.stored.unsent.length === 0);

  const thirdVisit = await openMessenger(saved, {}, { unsent: stored ? [{ ...stored, ...outdated }] : [] });
  expect(selectThread(thirdVisit.store.getState(), conversation.id)?.outgoing).toMatchObject([
    { text: 'too late', state: 'failed' },
  ]);
  expect(thirdVisit.calls.some(({ call }) => call === 'POST /api/messages')).toBe(false);
});
