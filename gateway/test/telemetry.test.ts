import { randomUUID } from 'node:crypto';
import { createClient, serviceNames } from '@wayquest/contracts';
import { startManagement } from '@wayquest/platform/http';
import { createLogger, metricsRegistry, setRecorder } from '@wayquest/platform/telemetry';
import { createRecorder } from '@wayquest/platform/traces/recorder';
import {
  befriend,
  type Collector,
  eventually,
  type Network,
  newChallenge,
  newOnlineUser,
  type OnlineUser,
  startCollector,
  startNetwork,
  testPassword,
} from '@wayquest/testing';
import { z } from 'zod';
import { createClientTraces } from '../src/request-handler.ts';
import { cleanUp, echo, startGateway, startUpstream } from './support.ts';

/** The fields of a log line that identify requestLines service and request. */
const Line = z.object({
  service: z.string().optional(),
  msg: z.string(),
  requestId: z.string().optional(),
  traceId: z.string().optional(),
  path: z.string().optional(),
  operation: z.string().optional(),
  event: z.string().optional(),
  status: z.number().optional(),
  level: z.number(),
});
const lines: z.output<typeof Line>[] = [];

const logger = createLogger({
  ...{ name: 'test', level: 'debug' },
  destination: { write: (line) => void lines.push(Line.parse(JSON.parse(line))) },
});

let network: Network;
let collector: Collector;
let ada: OnlineUser;
let bob: OnlineUser;
beforeAll(async () => {
  collector = await startCollector();
  setRecorder(createRecorder({ endpoint: collector.url, samplingRatio: 1, logger, everyMs: 50 }));
  network = await startNetwork({ logger });
  [ada, bob] = [await newOnlineUser(network), await newOnlineUser(network)];
});
afterEach(cleanUp);
afterAll(async () => {
  await network?.stop();
  setRecorder();
  await collector?.[Symbol.asyncDispose]();
});

/** Creates a client of a user, or of a visitor, whose calls have this request id. */
const callsOf = (user: OnlineUser | undefined, requestId: string, headers: Record<string, string> = {}) =>
  createClient({
    baseUrl: network.url,
    token: () => user?.token,
    headers: () => ({ 'x-request-id': requestId, ...headers }),
  });

/** Returns the log lines of a request as `service message subject`. */
const linesOf = (id: string) =>
  lines
    .filter(({ requestId }) => requestId === id)
    .map(({ service, msg, path, operation, event }) => [service, msg, path ?? operation ?? event].join(' '))
    .toSorted();

/** Actions of a user in one call, and the edges of their traces. */
const actions: { action: string; act(requestId: string): Promise<unknown>; edges: string[] }[] = [
  {
    action: 'sign up',
    act: (id) => callsOf(undefined, id).signup({ body: { username: 'eve', password: testPassword } }),
    edges: [
      'gateway POST /auth/signup → auth POST /auth/signup',
      'auth POST /auth/signup → auth publish user.registered.v1',
      'auth publish user.registered.v1 → users handle user.registered.v1',
      'users handle user.registered.v1 → users publish user.profile-changed.v1',
      'users publish user.profile-changed.v1 → participation handle user.profile-changed.v1',
      'users publish user.profile-changed.v1 → friends handle user.profile-changed.v1',
      'users publish user.profile-changed.v1 → chat handle user.profile-changed.v1',
    ],
  },
  {
    action: 'create a challenge',
    act: (id) => callsOf(ada, id).createChallenge({ body: { name: 'Walk', difficulty: 'Easy' } }),
    edges: [
      'gateway POST /api/challenges/ → challenges POST /api/challenges/',
      'challenges POST /api/challenges/ → challenges publish challenge.created.v1',
      'challenges publish challenge.created.v1 → participation handle challenge.created.v1',
      'challenges publish challenge.created.v1 → places handle challenge.created.v1',
    ],
  },
  {
    action: 'join it',
    async act(id) {
      const { id: challengeId } = await newChallenge(ada);
      await callsOf(bob, id).joinChallenge({ body: { challengeId } });
    },
    edges: [
      'gateway POST /api/challengeLine/ → participation POST /api/challengeLine/',
      'participation POST /api/challengeLine/ → participation publish challenge.joined.v1',
      'participation publish challenge.joined.v1 → challenges handle challenge.joined.v1',
      'notifications handle challenge.joined.v1 → realtime handle notifications.changed.v1',
      'realtime handle notifications.changed.v1 → realtime show notifications',
    ],
  },
  {
    action: 'complete it',
    async act(requestId) {
      const { id: challengeId } = await newChallenge(ada);
      const { id } = await bob.client.joinChallenge({ body: { challengeId } });
      await callsOf(bob, requestId).updateParticipation({ params: { id }, body: { completed: true } });
    },
    edges: [
      'gateway PUT /api/challengeLine/{id} → participation PUT /api/challengeLine/{id}',
      'participation PUT /api/challengeLine/{id} → participation publish challenge.completed.v1',
      'participation publish challenge.completed.v1 → users handle challenge.completed.v1',
      'users handle challenge.completed.v1 → users publish points.awarded.v1',
      'users publish points.awarded.v1 → realtime handle points.awarded.v1',
      'realtime handle points.awarded.v1 → realtime show points',
    ],
  },
  {
    action: 'leave it',
    async act(requestId) {
      const { id: challengeId } = await newChallenge(ada);
      const { id } = await bob.client.joinChallenge({ body: { challengeId } });
      await callsOf(bob, requestId).leaveChallenge({ params: { id } });
    },
    edges: [
      'gateway DELETE /api/challengeLine/{id} → participation DELETE /api/challengeLine/{id}',
      'participation DELETE /api/challengeLine/{id} → participation publish challenge.left.v1',
      'participation publish challenge.left.v1 → challenges handle challenge.left.v1',
      'participation publish challenge.left.v1 → notifications handle challenge.left.v1',
    ],
  },
  {
    action: 'delete it',
    async act(requestId) {
      const { id } = await newChallenge(ada);
      await callsOf(ada, requestId).deleteChallenge({ params: { id } });
    },
    edges: [
      'gateway DELETE /api/challenges/{id} → challenges DELETE /api/challenges/{id}',
      'challenges DELETE /api/challenges/{id} → challenges publish challenge.deleted.v1',
      'challenges publish challenge.deleted.v1 → users handle challenge.deleted.v1',
      'challenges publish challenge.deleted.v1 → participation handle challenge.deleted.v1',
      'challenges publish challenge.deleted.v1 → moderation handle challenge.deleted.v1',
      'challenges publish challenge.deleted.v1 → realtime handle challenge.deleted.v1',
    ],
  },
  {
    action: 'change the username',
    async act(requestId) {
      const dan = await newOnlineUser(network);
      await callsOf(dan, requestId).updateMe({ body: { username: `${dan.username}-2` } });
    },
    edges: [
      'gateway PUT /auth/me → users PUT /auth/me',
      'auth publish user.account-changed.v1 → users handle user.account-changed.v1',
      'users publish user.profile-changed.v1 → challenges handle user.profile-changed.v1',
      'users publish user.profile-changed.v1 → chat handle user.profile-changed.v1',
      'users publish user.profile-changed.v1 → realtime handle user.profile-changed.v1',
    ],
  },
  {
    action: 'block a user',
    async act(requestId) {
      const [frank, grace] = [await newOnlineUser(network), await newOnlineUser(network)];
      await callsOf(frank, requestId).blockUser({ body: { userId: grace.me.id } });
    },
    edges: [
      'gateway POST /api/blocks/ → friends POST /api/blocks/',
      'friends POST /api/blocks/ → friends publish user.blocked.v1',
      'friends publish user.blocked.v1 → users handle user.blocked.v1',
      'friends publish user.blocked.v1 → participation handle user.blocked.v1',
      'friends publish user.blocked.v1 → chat handle user.blocked.v1',
      'friends publish user.blocked.v1 → notifications handle user.blocked.v1',
    ],
  },
  {
    action: 'accept a friend request',
    async act(requestId) {
      const carol = await newOnlineUser(network);
      const { id } = await carol.client.requestFriend({ body: { friendId: ada.me.id } });
      await callsOf(ada, requestId).acceptFriend({ params: { id } });
    },
    edges: [
      'gateway PUT /api/friendrequests/{id} → friends PUT /api/friendrequests/{id}',
      'friends PUT /api/friendrequests/{id} → friends publish friend.accepted.v1',
      'friends publish friend.accepted.v1 → chat handle friend.accepted.v1',
      'chat handle friend.accepted.v1 → chat publish conversation.created.v1',
      'chat publish conversation.created.v1 → realtime handle conversation.created.v1',
      'realtime handle conversation.created.v1 → realtime show conversation',
    ],
  },
  {
    action: 'send a message',
    async act(requestId) {
      await befriend(ada, bob);
      const { id: conversationId } = await ada.client.openConversation({ body: { friend: bob.me } });
      await callsOf(ada, requestId).sendMessage({ body: { conversationId, text: 'hello' } });
    },
    edges: [
      'gateway POST /api/messages → chat POST /api/messages',
      'chat POST /api/messages → chat publish message.sent.v1',
      'chat publish message.sent.v1 → realtime handle message.sent.v1',
      'realtime handle message.sent.v1 → realtime show getMessage',
    ],
  },
];

test.each(actions)('$action is one trace, whose id is in each log line', async ({ act, edges }) => {
  const requestId = randomUUID();
  await act(requestId);
  await eventually(() => expect(collector.edgesOf(requestId)).toEqual(expect.arrayContaining(edges)));
  // All other spans descend from the one call at the gateway.
  const roots = () => collector.edgesOf(requestId).filter((edge) => !edge.includes(' → '));
  await eventually(() => expect(roots()).toEqual([edges[0]?.split(' → ')[0]]));
  const { traceId } =
    collector.spans.find((span) => span.attributes['wayquest.request_id'] === requestId) ?? {};
  const requestLines = lines.filter((line) => line.requestId === requestId);
  expect(requestLines.length).toBeGreaterThan(1);
  expect(requestLines.filter((line) => line.traceId !== traceId)).toEqual([]);
  // At the level of an installation, where an event has a line only if it was slow; security events are a log of their own (55.12).
  const info = requestLines.filter(({ level, msg }) => level >= 30 && !/event/.test(msg));
  expect(info.length).toBeLessThanOrEqual(3);
});

test('one request id is in the log lines of every service that handles a message', async () => {
  const { id: conversationId } = await ada.client.openConversation({ body: { friend: bob.me } });
  const requestId = randomUUID();
  await callsOf(ada, requestId).sendMessage({ body: { conversationId, text: 'hello' } });
  await eventually(() =>
    expect(linesOf(requestId)).toEqual([
      'chat call POST /api/messages',
      'gateway request /api/messages',
      'realtime event message.sent.v1',
      'realtime shown getMessage',
    ]),
  );
});

test('rejected calls and socket events have log lines, too', async () => {
  const requestId = randomUUID();
  const rejected = callsOf(ada, requestId).getChallenge({ params: { id: 999_999 } });
  await expect(rejected).rejects.toThrow();
  const line = { requestId, service: 'challenges', operation: 'GET /api/challenges/{id}', status: 404 };
  await eventually(() => expect(lines).toContainEqual(expect.objectContaining(line)));
  await ada.tab.emit('watchLeaderboard', true);
  const socketLine = { service: 'realtime', msg: 'call', operation: 'watchLeaderboard', status: 200 };
  await eventually(() => expect(lines).toContainEqual(expect.objectContaining(socketLine)));
});

describe.each(['gateway', ...serviceNames])('%s', (service) => {
  test.each([
    ['traces', () => collector.spans.some((span) => span.service === service)],
    ['lines', () => lines.some((line) => line.service === service && line.requestId)],
    ['metrics', async () => (await metricsRegistry.metrics()).includes(`service="${service}"`)],
  ])('has %s', async (_signal, isThere) => {
    await eventually(isThere);
  });
});

test('the metrics include stores, pools, the version, and zeros for what has not happened', async () => {
  const management = await startManagement({ port: 0, host: '127.0.0.1', ready: async () => true });
  await ada.client.getMe();
  const requestId = randomUUID();
  await callsOf(ada, requestId).updateMe({ body: { city: 'Hoboken' } });
  const metrics = await (await fetch(`http://127.0.0.1:${management.port}/metrics`)).text();
  await management.stop();
  for (const kind of ['read', 'write'])
    expect(metrics).toMatch(
      new RegExp(`wayquest_roundtrip_seconds_count\\{to="store",kind="${kind}"\\} [1-9]`),
    );
  expect(metrics).toContain('wayquest_pool_waiting{service="chat",to="store"} 0');
  expect(metrics).toContain('wayquest_pool_waiting{service="gateway",to="users"} 0');
  expect(metrics).toMatch(/wayquest_build_info\{version="\d+\.\d+\.\d+",node="v\d+/);
  // Other test files of this process may have deleted accounts.
  expect(metrics).toMatch(/wayquest_security_events_total\{service="auth",event="account-deleted"\} \d/);
  expect(metrics).toContain('wayquest_bus_consumers{service="realtime"} 1');
});

describe('a client that sends a traceparent', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const named = `00-${traceId}-00f067aa0ba902b7-01`;

  test('finds requestLines call in it', async () => {
    const requestId = randomUUID();
    await callsOf(ada, requestId, { traceparent: named }).getMe();
    await eventually(() =>
      expect(collector.spans.filter((span) => span.traceId === traceId).map(({ name }) => name)).toContain(
        'GET /auth/me',
      ),
    );
  });

  test.each([
    ['no trace', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['two values', `${named}, ${named}`],
    ['upper case', named.toUpperCase()],
    ['8,000 characters', 'x'.repeat(8_000)],
  ])('gets the usual response if it sends %s', async (_what, traceparent) => {
    const requestId = randomUUID();
    await callsOf(ada, requestId, { traceparent }).getMe();
    await eventually(() =>
      expect(collector.edgesOf(requestId)).toContain('gateway GET /auth/me → users GET /auth/me'),
    );
  });

  test('is trusted at most ten times a second', () => {
    let now = 0;
    const traceOf = createClientTraces(() => now);
    const countTrusted = () => Array.from({ length: 50 }, () => traceOf(named)).filter(Boolean).length;
    expect(countTrusted()).toBe(10);
    now = 1_001;
    expect(countTrusted()).toBe(10);
  });

  test('has its tracing headers removed from requests to services', async () => {
    setRecorder();
    const gateway = await startGateway((await startUpstream(echo)).url, { logger });
    const headers = { traceparent: named, tracestate: 'a=b', baggage: 'user=1' };
    const received = await (await fetch(`${gateway.url()}/api/users/7`, { headers })).text();
    expect(received).toContain('x-request-id');
    expect(received).not.toMatch(/traceparent|tracestate|baggage/);
  });
});
