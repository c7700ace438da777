import { messagesSeen } from '../src/entities/conversations/slice.ts';
import { connected } from '../src/entities/realtime/events.ts';
import { problem, type StubResponses } from './support/app.ts';
import { dateAndTimers, fakeTimers } from './support/fake-timers.ts';
import { conversation } from './support/fixtures.ts';
import { messages, openMessenger } from './support/messenger.ts';

/** Sending read marks to the server. */

const otherConversation = {
  ...conversation,
  id: 6,
  user: { ...conversation.user, id: 10, username: 'iris' },
};

beforeEach(() => {
  fakeTimers(dateAndTimers);
  jest.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Opens a messenger whose chat service answers read marks with `respond`; `sentMarks` are the requests. */
async function openReader(respond: () => ReturnType<typeof problem> | undefined = () => undefined) {
  const sentMarks: string[] = [];
  const mark = (id: number) => (body: unknown) => {
    sentMarks.push(`${id} ${JSON.stringify(body)}`);
    return respond() ?? { body: { ...conversation, id } };
  };
  const responses: StubResponses = {
    'GET /api/conversations/7': { body: [conversation, otherConversation] },
    'PUT /api/conversations/5/read': mark(5),
    'PUT /api/conversations/6/read': mark(6),
  };
  const app = await openMessenger(messages(1, 3), responses);
  const markSeen = (conversationId: number, messageId: number) =>
    app.store.dispatch(messagesSeen({ conversationId, messageId }));
  return { ...app, sentMarks, markSeen };
}

const flush = () => jest.advanceTimersByTimeAsync(100);
const requestOf = (id: number, messageId: number) => `${id} {"messageId":${messageId}}`;

test('of several marks within a pause only the first and the last are sent, for each conversation', async () => {
  const { markSeen, sentMarks } = await openReader();
  markSeen(5, 501);
  markSeen(6, 601);
  markSeen(5, 502);
  markSeen(5, 503);
  markSeen(6, 602);
  await flush();
  expect(sentMarks).toEqual([requestOf(5, 501), requestOf(6, 601)]);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(sentMarks).toEqual([requestOf(5, 501), requestOf(6, 601), requestOf(5, 503), requestOf(6, 602)]);
});

test('a failed mark is retried, with growing pauses', async () => {
  let failures = 3;
  const { markSeen, sentMarks } = await openReader(() => {
    failures -= 1;
    return failures >= 0 ? problem('service-unavailable') : undefined;
  });
  markSeen(5, 503);
  await flush();
  expect(sentMarks).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(sentMarks).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(sentMarks).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sentMarks).toEqual(Array.from({ length: 4 }, () => requestOf(5, 503)));
});

test.each(['a new connection', 'a mark of another conversation'])(
  '%s causes an immediate retry',
  async (cause) => {
    let isUnreachable = true;
    const { markSeen, sentMarks, socket } = await openReader(() => {
      if (isUnreachable) throw new TypeError('Failed to fetch');
      return undefined;
    });
    markSeen(5, 503);
    await flush();
    expect(sentMarks).toEqual([requestOf(5, 503)]);
    isUnreachable = false;
    if (cause === 'a new connection') socket.receive(connected());
    else markSeen(6, 601);
    await flush();
    expect(sentMarks.filter((mark) => mark === requestOf(5, 503))).toHaveLength(2);
  },
);

test('a mark that the server rejects is not retried', async () => {
  const { markSeen, sentMarks } = await openReader(() => problem('conversation-not-found'));
  markSeen(5, 503);
  await jest.advanceTimersByTimeAsync(300_000);
  expect(sentMarks).toEqual([requestOf(5, 503)]);
});
