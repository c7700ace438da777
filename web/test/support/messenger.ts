import type { Conversation, Message } from '@wayquest/contracts';
import { connected, messageReceived } from '../../src/entities/realtime/events.ts';
import { selectThread, threadOpened } from '../../src/features/messenger/threads-slice.ts';
import type { UnsentItems, UnsentMessage } from '../../src/shared/lib/unsent-items.ts';
import { type StubResponses, startApp } from './app.ts';
import { conversation, friendRequest, me, message } from './fixtures.ts';

const path = `/api/messages/${conversation.id}`;

/** Stubs a chat service with one conversation; tests push messages that the server has into `saved`. */
export function chatService(saved: Message[] = []) {
  const chat = { saved, conversations: [conversation] as Conversation[] };
  const responses: StubResponses = {
    'GET /auth/me': { body: me },
    'GET /api/friendrequests/': { body: [{ ...friendRequest, status: 'accepted' }] },
    'GET /api/conversations/7': () => ({ body: chat.conversations }),
    'GET /api/chat/preferences': {
      body: { keepDrafts: true, showTyping: true, sendReadReceipts: true },
    },
    [`GET ${path}?limit=50`]: () => ({ body: chat.saved.slice(-50) }),
    [`GET ${path}?limit=200`]: () => ({ body: chat.saved.slice(-200) }),
  };
  // The pages after and before each message.
  for (let n = 0; n <= 1_300; n += 1) {
    const after = message(n).id;
    responses[`GET ${path}?after=${after}&limit=200`] = () => ({
      body: chat.saved.filter(({ id }) => id > after).slice(0, 200),
    });
    responses[`GET ${path}?before=${after}&limit=50`] = () => ({
      body: chat.saved.filter(({ id }) => id < after).slice(-50),
    });
  }
  return { chat, responses };
}

/** Starts the app of a logged-in user with a connected socket and an open conversation. */
export async function openMessenger(
  saved: Message[] = [],
  extraResponses: StubResponses = {},
  { unsentItems, unsent }: { unsentItems?: UnsentItems; unsent?: UnsentMessage[] } = {},
) {
  const { chat, responses } = chatService(saved);
  const app = startApp({
    token: 'kept',
    social: true,
    responses: { ...responses, ...extraResponses },
    ...(unsentItems && { unsentItems }),
    ...(unsent && { unsent }),
  });
  await app.until((state) => state.conversations.list.state === 'ready' && app.socket.state.open === 1);
  app.store.dispatch(threadOpened(conversation.id));
  await app.until((state) => selectThread(state, conversation.id)?.newest.state === 'ready');
  app.socket.receive(connected());
  const displayedTexts = () =>
    selectThread(app.store.getState(), conversation.id)?.messages.map(({ text }) => text) ?? [];
  const receiveMessage = (incoming: Message) =>
    app.socket.receive(
      messageReceived({
        ...incoming,
        senderId: incoming.sender,
        receiverId: incoming.sender === me.id ? conversation.user.id : me.id,
      }),
    );
  return { ...app, chat, displayedTexts, receiveMessage };
}

/** Returns the texts of the messages in a range of numbers. */
export const texts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `message ${from + index}`);

/** Returns the messages in a range of numbers. */
export const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index));
