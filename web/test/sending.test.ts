import type { NewMessage } from '@wayquest/contracts';
import { connected } from '../src/entities/realtime/events.ts';
import { messageSubmitted, retryRequested, selectThread } from '../src/features/messenger/threads-slice.ts';
import { type Answers, problem } from './support/app.ts';
import { conversation, me, message } from './support/fixtures.ts';
import { messages, openMessenger } from './support/messenger.ts';

/** The answer of a service that saves a message once for each clientId. */
function savingService(saved: ReturnType<typeof messages>) {
  return (body: unknown) => {
    const { text, clientId = null } = body as NewMessage;
    const known = saved.find((each) => each.clientId === clientId);
    if (known) return { status: 200, body: known };
    const created = message(saved.length + 1, { sender: me.id, text, clientId });
    saved.push(created);
    return { status: 201, body: created };
  };
}

async function writer(more: (save: ReturnType<typeof savingService>) => Answers) {
  const saved = messages(1, 2);
  const app = await openMessenger(saved, more(savingService(saved)));
  const outgoing = () => selectThread(app.store.getState(), conversation.id)?.outgoing ?? [];
  return {
    ...app,
    outgoing,
    send: (text: string) => app.store.dispatch(messageSubmitted(conversation.id, text)),
  };
}

test('a message is shown as sending immediately, then as saved, and announced over the socket', async () => {
  const { send, outgoing, shown, until, socket } = await writer((save) => ({ 'POST /api/messages': save }));
  send('  hello ');
  expect(outgoing()).toMatchObject([{ text: 'hello', state: 'sending' }]);
  await until(() => shown().includes('hello'));
  expect(outgoing()).toEqual([]);
  await until(() => socket.emitted.some(({ name }) => name === 'sendMessage'));
  expect(socket.emitted).toContainEqual({
    name: 'sendMessage',
    data: { senderId: me.id, receiverId: conversation.user.id, text: 'hello' },
  });
});

test('messages are saved in the order in which they were written', async () => {
  const { send, shown, until } = await writer((save) => ({ 'POST /api/messages': save }));
  for (const text of ['one', 'two', 'three']) send(text);
  await until(() => shown().length === 5);
  expect(shown().slice(2)).toEqual(['one', 'two', 'three']);
});

test('a failed message holds back later ones; a retry sends all of them in order, with the same client ids', async () => {
  let out = true;
  const { send, outgoing, shown, until, calls, store } = await writer((save) => ({
    'POST /api/messages': (body) => (out ? problem('service-unavailable') : save(body)),
  }));
  send('one');
  send('two');
  await until(() => outgoing().every(({ state }) => state === 'failed'));
  expect(outgoing()[0]?.error).toContain('temporarily unavailable');
  out = false;
  store.dispatch(retryRequested({ id: conversation.id }));
  await until(() => shown().length === 4);
  expect(shown().slice(2)).toEqual(['one', 'two']);
  const names = calls
    .filter(({ call }) => call === 'POST /api/messages')
    .map(({ body }) => body as NewMessage);
  expect(names.map(({ text }) => text)).toEqual(['one', 'one', 'two']);
  expect(names[0]?.clientId).toBe(names[1]?.clientId);
});

test('a message that was saved although its response was lost is there once after a retry', async () => {
  let lost = true;
  const { send, outgoing, shown, until, store } = await writer((save) => ({
    'POST /api/messages': (body) => {
      const answer = save(body);
      if (!lost) return answer;
      lost = false;
      throw new TypeError('network');
    },
  }));
  send('only once');
  await until(() => outgoing()[0]?.state === 'failed');
  store.dispatch(retryRequested({ id: conversation.id }));
  await until(() => outgoing().length === 0);
  expect(shown().filter((text) => text === 'only once')).toHaveLength(1);
});

test('a message that the socket delivers before its response is there once', async () => {
  const app = await writer((save) => ({
    'POST /api/messages': (body) => {
      const answer = save(body);
      app.arrive(answer.body);
      return answer;
    },
  }));
  app.send('quick');
  await app.until(() => app.shown().includes('quick') && app.outgoing().length === 0);
  expect(app.shown().filter((text) => text === 'quick')).toHaveLength(1);
});

test('a message whose id leaves a gap waits for the other person’s messages in between', async () => {
  const app = await writer((save) => ({
    'POST /api/messages': (body) => {
      app.chat.saved.push(message(3));
      return save(body);
    },
  }));
  app.send('after yours');
  await app.until(() => app.shown().length === 4);
  expect(app.shown().slice(2)).toEqual(['message 3', 'after yours']);
});

test('a failed message is retried when the connection is back; a rejected one is not', async () => {
  let answer: 'away' | 'refused' | 'fine' = 'away';
  const { send, outgoing, shown, until, socket, calls } = await writer((save) => ({
    'POST /api/messages': (body) => {
      if (answer === 'fine') return save(body);
      return problem(answer === 'away' ? 'service-unavailable' : 'not-friends');
    },
  }));
  send('one');
  await until(() => outgoing()[0]?.state === 'failed');
  answer = 'fine';
  socket.tell(connected());
  await until(() => shown().includes('one'));

  answer = 'refused';
  send('two');
  await until(() => outgoing()[0]?.state === 'failed');
  const asked = calls.length;
  answer = 'fine';
  socket.tell(connected());
  await until((state) => state.conversations.list.state === 'ready');
  expect(calls.slice(asked).filter(({ call }) => call === 'POST /api/messages')).toEqual([]);
  expect(outgoing()).toMatchObject([{ text: 'two', refused: true }]);
});

test('unsent messages are stored beyond the visit and sent in the next one, with the same client ids', async () => {
  const saved = messages(1, 2);
  const away = await openMessenger(saved, { 'POST /api/messages': () => problem('service-unavailable') });
  away.store.dispatch(messageSubmitted(conversation.id, 'still here'));
  await away.until((state) => selectThread(state, conversation.id)?.outgoing[0]?.state === 'failed');
  const [kept] = away.kept.unsent;
  expect(kept).toMatchObject({ conversationId: conversation.id, text: 'still here' });

  const old = { ...kept, clientId: 'old', text: 'too late', createdAt: '2026-05-01T12:00:00.000Z' };
  const app = await openMessenger(
    saved,
    { 'POST /api/messages': savingService(saved) },
    { unsent: kept ? [kept] : [] },
  );
  await app.until(() => app.shown().includes('still here'));
  expect(app.calls.find(({ call }) => call === 'POST /api/messages')?.body).toMatchObject({
    clientId: kept?.clientId,
  });
  await app.until(() => app.kept.unsent.length === 0);

  const later = await openMessenger(saved, {}, { unsent: kept ? [{ ...kept, ...old }] : [] });
  expect(selectThread(later.store.getState(), conversation.id)?.outgoing).toMatchObject([
    { text: 'too late', state: 'failed' },
  ]);
  expect(later.calls.some(({ call }) => call === 'POST /api/messages')).toBe(false);
});
