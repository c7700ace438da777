import { vi } from 'vitest';
import { messagesSeen } from '../src/entities/conversations/slice.ts';
import { connected } from '../src/entities/realtime/events.ts';
import { type Answers, problem } from './support/app.ts';
import { conversation } from './support/fixtures.ts';
import { messages, openMessenger } from './support/messenger.ts';

/** How far a person has read, as the server comes to hear of it. */

const other = { ...conversation, id: 6, user: { ...conversation.user, id: 10, username: 'iris' } };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A messenger whose chat service takes read marks as `take` says; `told` are those that got there. */
async function reader(take: () => ReturnType<typeof problem> | undefined = () => undefined) {
  const told: string[] = [];
  const mark = (id: number) => (body: unknown) => {
    told.push(`${id} ${JSON.stringify(body)}`);
    return take() ?? { body: { ...conversation, id } };
  };
  const answers: Answers = {
    'GET /api/conversations/7': { body: [conversation, other] },
    'PUT /api/conversations/5/read': mark(5),
    'PUT /api/conversations/6/read': mark(6),
  };
  const app = await openMessenger(messages(1, 3), answers);
  const see = (conversationId: number, messageId: number) =>
    app.store.dispatch(messagesSeen({ conversationId, messageId }));
  return { ...app, told, see };
}

const soon = () => vi.advanceTimersByTimeAsync(100);
const hit = (id: number, messageId: number) => `${id} {"messageId":${messageId}}`;

test('only the last of several quick marks is sent, for each conversation', async () => {
  const { see, told } = await reader();
  see(5, 501);
  see(6, 601);
  see(5, 502);
  see(5, 503);
  see(6, 602);
  await soon();
  expect(told).toEqual([hit(5, 501), hit(6, 601)]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual([hit(5, 501), hit(6, 601), hit(5, 503), hit(6, 602)]);
});

test('a failed mark is retried, with growing pauses', async () => {
  let failures = 3;
  const { see, told } = await reader(() => {
    failures -= 1;
    return failures >= 0 ? problem('service-unavailable') : undefined;
  });
  see(5, 503);
  await soon();
  expect(told).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual(Array.from({ length: 4 }, () => hit(5, 503)));
});

test.each(['a new connection', 'a mark of another conversation'])(
  '%s causes an immediate retry',
  async (occasion) => {
    let away = true;
    const { see, told, socket } = await reader(() => {
      if (away) throw new TypeError('out of reach');
      return undefined;
    });
    see(5, 503);
    await soon();
    expect(told).toEqual([hit(5, 503)]);
    away = false;
    if (occasion === 'a new connection') socket.tell(connected());
    else see(6, 601);
    await soon();
    expect(told.filter((mark) => mark === hit(5, 503))).toHaveLength(2);
  },
);

test('a mark that the server rejects is not retried', async () => {
  const { see, told } = await reader(() => problem('conversation-not-found'));
  see(5, 503);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(told).toEqual([hit(5, 503)]);
});
