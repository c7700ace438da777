import { randomUUID } from 'node:crypto';
import { productionTimeouts, systemClock } from '@wayquest/platform/async';
import { connectRabbitMq, type EventBus, newEvent } from '@wayquest/platform/bus';
import type { Service } from '@wayquest/platform/service';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  closeTabs,
  connectTestRedis,
  connectTestStore,
  createTcpProxy,
  describeWith,
  dropDatabases,
  eventually,
  longTimeouts,
  openTab,
  startDedicated,
  startRabbitMqBus,
  storeUrl,
  testKeys,
  testServiceDeps,
  useShared,
} from '@wayquest/testing';
import jwt from 'jsonwebtoken';
import { createRealtimeService, type RealtimeTimes } from '../src/index.ts';
import { createRedisPresence } from '../src/presence.ts';
import { challengeRoom, userRoom } from '../src/rooms.ts';

const logger = createLogger({ name: 'test', level: process.env.WAYQUEST_TEST_LOG || 'silent' });
// The lease is long enough to be renewed on a busy machine.
const times: RealtimeTimes = { leaseMs: 3_000, graceMs: 50, resyncSpreadMs: 100, drainMs: 1_000 };

/** Starts the nodes of a cluster, each with its own connections, as in separate processes. */
async function startCluster(count: number, redisUrl: string, timeouts = longTimeouts) {
  const prefix = `test-${randomUUID()}`;
  const databasePrefix = `test_${randomUUID().slice(0, 8)}`;
  const amqpUrl = await useShared('rabbitmq');
  const bus = await startRabbitMqBus(amqpUrl, logger, prefix);
  const stops: (() => Promise<void>)[] = [bus.close];
  const nodes: Service[] = [];
  for (let n = 0; n < count; n++) {
    const nodeBus: EventBus = await connectRabbitMq({ url: amqpUrl, logger, prefix });
    const node = createRealtimeService({
      ...testServiceDeps({ logger, bus: nodeBus, databasePrefix, timeouts }),
      redisUrl,
      redisPrefix: prefix,
      times,
    });
    await node.start();
    await eventually(node.ready);
    nodes.push(node);
    stops.push(async () => {
      await node.stop();
      await nodeBus.close();
    });
  }
  return {
    bus,
    nodes,
    prefix,
    databasePrefix,
    urlOf: (n: number) => nodes[n]?.url() ?? '',
    async stop() {
      closeTabs();
      for (const stop of stops.reverse()) await stop();
      await dropDatabases(storeUrl(), [`${databasePrefix}_realtime`]);
    },
  };
}

function tokenOf(id: number, jti = randomUUID()): string {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { sub: String(id), username: `person-${id}`, admin: false, jti, iat, exp: iat + 3_600 };
  return jwt.sign(claims, testKeys().privateKey, { algorithm: 'RS256' });
}

let nextId = 0;
const messageOf = (sender: number, receiverId: number) => {
  nextId += 1;
  return newEvent('message.sent.v1', {
    message: {
      id: 10_000_000 + nextId,
      sender,
      text: `${nextId}`,
      conversationId: 1,
      createdAt: new Date().toISOString(),
      clientId: null,
    },
    receiverId,
  });
};
async function storedFriendships(databasePrefix: string) {
  const store = await connectTestStore(`${databasePrefix}_realtime`);
  try {
    return await store.collection('friendships').find().toArray();
  } finally {
    await store.close();
  }
}
const befriend = (one: number, other: number) =>
  newEvent('friend.accepted.v1', { requestId: one * 1_000 + other, userIds: [one, other] });

(await describeWith('redis', 'rabbitmq'))('three nodes', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  beforeAll(async () => {
    cluster = await startCluster(3, await useShared('redis'));
  });
  afterEach(closeTabs);
  afterAll(() => cluster?.stop());

  it('show each message once on every tab, on any node, also when the bus delivers it again', async () => {
    const tabs = await Promise.all(
      [0, 1, 2].flatMap((n) => [
        openTab(cluster.urlOf(n), tokenOf(1)),
        openTab(cluster.urlOf(n), tokenOf(2), ['polling']),
      ]),
    );
    const stranger = await openTab(cluster.urlOf(1), tokenOf(3));
    const sent = Array.from({ length: 30 }, (_, n) => (n % 2 ? messageOf(1, 2) : messageOf(2, 1)));
    for (const event of [...sent, ...sent]) await cluster.bus.publish(event);
    const ids = sent.map(({ data }) => data.message.id);
    await eventually(() => tabs.every(({ received }) => received.getMessage.length >= ids.length));
    await eventually(() => cluster.bus.idle());
    for (const { received } of tabs) {
      expect(received.getMessage.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids);
    }
    expect(stranger.received.getMessage).toEqual([]);
  });

  it('know who is online on any node', async () => {
    await cluster.bus.publish(befriend(11, 12));
    const ann = await openTab(cluster.urlOf(0), tokenOf(11));
    const [first, second] = [
      await openTab(cluster.urlOf(1), tokenOf(12)),
      await openTab(cluster.urlOf(2), tokenOf(12)),
    ];
    await eventually(() => ann.onlineFriends().includes(12) && first.onlineFriends().includes(11));
    // A user who moves to another node stays online.
    const before = ann.received.getUsers.length;
    first.socket.disconnect();
    await openTab(cluster.urlOf(0), tokenOf(12));
    second.socket.disconnect();
    await ann.socket.emitWithAck('addUser', 11);
    expect(ann.received.getUsers.slice(before).every((users) => users.length === 1)).toBe(true);
  });

  it('subscribe only to users who are connected to them, and to challenges that are watched on them', async () => {
    const redis = await connectTestRedis(await useShared('redis'));
    try {
      const subscriberCounts = async (...rooms: string[]) => {
        const names = rooms.map((room) => `${cluster.prefix}#/#${room && `${room}#`}`);
        const reply = await redis.pubsub('SHARDNUMSUB', ...names);
        return names.map((name) => reply[reply.indexOf(name) + 1]);
      };
      const ann = await openTab(cluster.urlOf(0), tokenOf(15));
      const twice = await openTab(cluster.urlOf(0), tokenOf(15));
      await openTab(cluster.urlOf(1), tokenOf(16));
      await openTab(cluster.urlOf(2), tokenOf(16));
      expect(await subscriberCounts(userRoom(15), userRoom(16), userRoom(17), '')).toEqual([1, 2, 0, 3]);
      await ann.socket.emitWithAck('watchChallenge', 7);
      await twice.socket.emitWithAck('watchChallenge', 8);
      expect(await subscriberCounts(challengeRoom(7), challengeRoom(8))).toEqual([1, 1]);
      await ann.socket.emitWithAck('watchChallenge', 8);
      await eventually(async () =>
        expect(await subscriberCounts(challengeRoom(7), challengeRoom(8))).toEqual([0, 1]),
      );
      // Several in one packet of the network (code 2).
      await Promise.all([5, 6, 5, 6, 8].map((id) => ann.socket.emitWithAck('watchChallenge', id)));
      await eventually(async () =>
        expect(await subscriberCounts(challengeRoom(5), challengeRoom(6), challengeRoom(8))).toEqual([
          0, 0, 1,
        ]),
      );
      twice.socket.disconnect();
      await ann.socket.emitWithAck('watchChallenge', null);
      await eventually(async () =>
        expect(await subscriberCounts(challengeRoom(8), userRoom(15))).toEqual([0, 1]),
      );
      closeTabs();
      await eventually(async () =>
        expect(await subscriberCounts(userRoom(15), userRoom(16))).toEqual([0, 0]),
      );
    } finally {
      redis.disconnect();
    }
  });

  it('use the channel of all nodes only for what concerns all of them', async () => {
    const redis = await connectTestRedis(await useShared('redis'));
    try {
      const messages: string[] = [];
      redis.on('smessage', (_, text: string) => messages.push(text));
      await redis.ssubscribe(`${cluster.prefix}#/#`);
      await cluster.bus.publish(befriend(41, 42));
      const [ann, bob] = [
        await openTab(cluster.urlOf(0), tokenOf(41)),
        await openTab(cluster.urlOf(1), tokenOf(42)),
      ];
      await eventually(() => ann.onlineFriends().includes(42) && bob.onlineFriends().includes(41));
      await ann.socket.emitWithAck('watchChallenge', 1_234_567_890);
      await ann.socket.emitWithAck('typing', { receiverId: 42 });
      await cluster.bus.publish(messageOf(41, 42));
      await cluster.bus.publish(newEvent('challenge.deleted.v1', { challengeId: 1_234_567_890 }));
      await eventually(() => {
        expect([ann, bob].map(({ received }) => received.getMessage.length)).toEqual([1, 1]);
        expect(ann.received.challenge).toHaveLength(1);
        expect(bob.received.typing).toHaveLength(1);
      });
      expect(messages).toEqual([]);
      await cluster.bus.publish(
        newEvent('token.revoked.v1', {
          ...{ userId: 43, tokenId: randomUUID(), issuedBefore: null },
          expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
        }),
      );
      await eventually(() => expect(messages).toHaveLength(1));
    } finally {
      redis.disconnect();
    }
  });

  it('send clients the event alone, not where it comes from', async () => {
    const tab = await openTab(cluster.urlOf(0), tokenOf(45));
    const frames: unknown[] = [];
    tab.socket.io.engine.on('packet', ({ data }) => frames.push(data));
    // Whichever node handles them: the others hear of them from Redis.
    for (let n = 0; n < 9; n++) await cluster.bus.publish(messageOf(45, 46));
    await eventually(() => tab.received.getMessage.length === 9);
    const messages = frames.filter((frame) => String(frame).startsWith('2["getMessage"'));
    expect(messages).toHaveLength(9);
    for (const frame of messages) expect(JSON.parse(String(frame).slice(1))).toHaveLength(2);
  });

  it('notify all viewers of a challenge, on any node, that it was deleted', async () => {
    const tabs = await Promise.all([0, 1, 2].map((n) => openTab(cluster.urlOf(n), tokenOf(18 + n))));
    for (const { socket } of tabs.slice(1)) await socket.emitWithAck('watchChallenge', 9);
    await cluster.bus.publish(newEvent('challenge.deleted.v1', { challengeId: 9 }));
    for (const { received } of tabs.slice(1))
      await eventually(() => expect(received.challenge).toEqual([{ challengeId: 9, deleted: true }]));
    expect(tabs[0]?.received.challenge).toEqual([]);
  });

  it('expire the lease of a crashed node, and notify friends', async () => {
    await cluster.bus.publish(befriend(21, 22));
    const redis = await connectTestRedis(await useShared('redis'));
    try {
      // A node that crashed without leaving.
      const crashed = createRedisPresence(
        { redis, prefix: cluster.prefix },
        { leaseMs: times.leaseMs, clock: systemClock },
      );
      await crashed.setOnline([22]);
      const ann = await openTab(cluster.urlOf(0), tokenOf(21));
      await eventually(() => ann.onlineFriends().includes(22));
      await eventually(() => ann.onlineFriends().length === 0);
      expect(await crashed.online([22])).toEqual([]);
      // A user who is connected to another node stays online.
      expect(await crashed.online([21])).toEqual([21]);
    } finally {
      redis.disconnect();
    }
  });

  it('disconnect a revoked token on any node', async () => {
    const tokenId = randomUUID();
    const token = tokenOf(31, tokenId);
    const tabs = await Promise.all([0, 1, 2].map((n) => openTab(cluster.urlOf(n), token)));
    const other = await openTab(cluster.urlOf(0), tokenOf(31));
    const dropped = Promise.all(
      tabs.map(({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve))),
    );
    await cluster.bus.publish(
      newEvent('token.revoked.v1', {
        userId: 31,
        tokenId,
        issuedBefore: null,
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      }),
    );
    expect(await dropped).toEqual(tabs.map(() => 'io server disconnect'));
    expect(other.socket.connected).toBe(true);
    await expect(openTab(cluster.urlOf(1), token)).rejects.toMatchObject({
      data: { code: 'invalid-token' },
    });
  });
});

(await describeWith('redis', 'rabbitmq'))('a node that stops', () => {
  it('accepts no new connections, and disconnects clients one by one, which receive events until then', async () => {
    const cluster = await startCluster(2, await useShared('redis'));
    const [stopping] = cluster.nodes;
    try {
      const tabs = await Promise.all(Array.from({ length: 20 }, () => openTab(cluster.urlOf(0), tokenOf(1))));
      const otherTab = await openTab(cluster.urlOf(1), tokenOf(2));
      const disconnects: { at: number; reason: string }[] = [];
      for (const { socket } of tabs)
        socket.once('disconnect', (reason) => {
          disconnects.push({ at: performance.now(), reason });
          socket.disconnect();
        });

      const stopped = stopping?.stop();
      expect(await stopping?.ready()).toBe(false);
      await expect(openTab(cluster.urlOf(0), tokenOf(3))).rejects.toThrow();
      await eventually(() => disconnects.length > 0);
      const sent = messageOf(2, 1);
      await cluster.bus.publish(sent);
      await stopped;

      await eventually(() => disconnects.length === tabs.length);
      // Clients reconnect automatically after this reason.
      expect(new Set(disconnects.map(({ reason }) => reason))).toEqual(new Set(['transport close']));
      expect((disconnects.at(-1)?.at ?? 0) - (disconnects[0]?.at ?? 0)).toBeGreaterThan(times.drainMs / 2);
      // Clients that were still connected received the message.
      await eventually(() => otherTab.received.getMessage.length > 0);
      expect(tabs.some(({ received }) => received.getMessage.length > 0)).toBe(true);
    } finally {
      await cluster.stop();
    }
  });
});

/** Deletes all keys, as a restart of a Redis without persistence does. */
async function deleteKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = await connectTestRedis(redisUrl);
  const keys = await redis.keys(`${prefix}:*`);
  expect(keys).not.toEqual([]);
  await redis.del(keys);
  redis.disconnect();
}

(await describeWith('redis', 'rabbitmq'))('while Redis is unavailable', () => {
  it('messages stay on the bus until all nodes can receive them, and clients are asked to resync', async () => {
    const redisUrl = await useShared('redis');
    const redis = await createTcpProxy(redisUrl);
    const cluster = await startCluster(2, redis.address);
    try {
      await cluster.bus.publish(befriend(1, 2));
      const [ann, bob] = [
        await openTab(cluster.urlOf(0), tokenOf(1)),
        await openTab(cluster.urlOf(1), tokenOf(2)),
      ];
      await eventually(() => ann.onlineFriends().includes(2) && bob.onlineFriends().includes(1));

      await redis.disconnect();
      await eventually(async () => !(await cluster.nodes[0]?.ready()) && !(await cluster.nodes[1]?.ready()));
      const missed = messageOf(1, 2);
      await cluster.bus.publish(missed);
      await deleteKeys(redisUrl, cluster.prefix);
      await redis.reconnect();

      await eventually(() => ann.received.resync.length > 0 && bob.received.resync.length > 0);
      const later = messageOf(2, 1);
      await cluster.bus.publish(later);
      const ids = [missed.data.message.id, later.data.message.id];
      for (const { received } of [ann, bob]) {
        await eventually(() => received.getMessage.length >= 2, { withinMs: 20_000 });
        expect(received.getMessage.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids);
      }
      // Presence is restored, although Redis lost it.
      const cleo = await openTab(cluster.urlOf(1), tokenOf(1));
      await eventually(() => cleo.onlineFriends().includes(2));
    } finally {
      await cluster.stop();
      await redis.disconnect();
    }
  });
});

(await describeWith('redis', 'rabbitmq'))('a deletion while Redis is unavailable', () => {
  it('ends friendships on the open tabs of all nodes once Redis is back (code 17)', async () => {
    const redis = await createTcpProxy(await useShared('redis'));
    const cluster = await startCluster(2, redis.address);
    try {
      await cluster.bus.publish(befriend(1, 2));
      await eventually(() => cluster.bus.idle());
      const tabs = [await openTab(cluster.urlOf(0), tokenOf(1)), await openTab(cluster.urlOf(1), tokenOf(1))];
      await redis.disconnect();
      await eventually(async () => !(await cluster.nodes[0]?.ready()) && !(await cluster.nodes[1]?.ready()));
      await cluster.bus.publish(newEvent('user.deleted.v1', { id: 2 }));
      // It fails at least once.
      await eventually(async () =>
        (await storedFriendships(cluster.databasePrefix)).every(({ stage }) => stage === 3),
      );
      await redis.reconnect();
      for (const { received } of tabs)
        await eventually(() => expect(received.friendRequest.at(-1)).toMatchObject({ status: 'removed' }), {
          withinMs: 20_000,
        });
      await eventually(async () => expect(await storedFriendships(cluster.databasePrefix)).toEqual([]));
    } finally {
      await cluster.stop();
      await redis.disconnect();
    }
  });
});

(await describeWith('redis', 'rabbitmq'))('while Redis is paused', () => {
  it('events are rejected without delay, nodes are not ready, and clients are asked to resync afterwards', async () => {
    const { address, pause, resume } = await startDedicated('redis');
    const cluster = await startCluster(2, address, productionTimeouts);
    try {
      await cluster.bus.publish(befriend(1, 2));
      const [ann, bob] = [
        await openTab(cluster.urlOf(0), tokenOf(1)),
        await openTab(cluster.urlOf(1), tokenOf(2)),
      ];
      await eventually(() => ann.onlineFriends().includes(2) && bob.onlineFriends().includes(1));

      await pause();
      // Responds while Redis is still paused.
      expect(await ann.socket.emitWithAck('typing', { receiverId: 2 })).toMatchObject({
        ok: false,
        problem: { code: 'service-unavailable' },
      });
      const newTab = await openTab(cluster.urlOf(0), tokenOf(3));
      await eventually(async () => !(await cluster.nodes[0]?.ready()));
      const missed = messageOf(1, 2);
      await cluster.bus.publish(missed);
      await resume();

      await eventually(() => ann.received.resync.length > 0 && newTab.received.resync.length > 0);
      for (const { received } of [ann, bob]) {
        await eventually(() => received.getMessage.length > 0, { withinMs: 20_000 });
        expect(received.getMessage.map(({ id }) => id)).toEqual([missed.data.message.id]);
      }
      await eventually(async () => (await cluster.nodes[0]?.ready()) && (await cluster.nodes[1]?.ready()));
    } finally {
      await resume();
      await cluster.stop();
    }
  });
});
