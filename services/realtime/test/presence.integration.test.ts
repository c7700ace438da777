import { randomUUID } from 'node:crypto';
import { connectRedis } from '@wayquest/platform/redis';
import { createLogger } from '@wayquest/platform/telemetry';
import { createTestClock, describeWith, eventually, useShared } from '@wayquest/testing';
import type { Presence } from '../src/presence.ts';
import { createRedisPresence } from '../src/redis-presence.ts';
import { presenceSuite } from './presence-suite.ts';

(await describeWith('redis'))('presence in Redis', () => {
  const logger = createLogger({ name: 'test', level: 'silent' });
  // It stands still: whatever happens here happens within one millisecond.
  const clock = createTestClock();
  const prefix = `test-${randomUUID()}`;
  let redis: ReturnType<typeof connectRedis>;
  let one: Presence;
  let other: Presence;
  beforeAll(async () => {
    redis = connectRedis(await useShared('redis'), logger);
    await eventually(() => redis.status === 'ready');
    one = createRedisPresence({ redis, prefix }, { leaseMs: 60_000, clock });
    other = createRedisPresence({ redis, prefix }, { leaseMs: 60_000, clock });
  });
  afterAll(async () => {
    const keys = await redis.keys(`${prefix}:*`);
    if (keys.length) await redis.del(keys);
    redis.disconnect();
  });

  presenceSuite(() => one);

  it('is shared by all nodes: a user on two nodes arrives with the first and leaves with the last', async () => {
    expect(await one.arrive([21])).toEqual([21]);
    expect(await other.arrive([21])).toEqual([]);
    expect(await one.arrive([21])).toEqual([]);
    expect(await one.leave(21)).toBe(false);
    expect(await other.online([21])).toEqual([21]);
    expect(await other.leave(21)).toBe(true);
    expect(await one.online([21])).toEqual([]);
  });

  it('removes the people of a node that does not renew its lease, once, and nothing else', async () => {
    const crashed = createRedisPresence({ redis, prefix }, { leaseMs: -1, clock });
    await crashed.arrive([31, 32]);
    await one.arrive([32]);
    expect(await one.expire()).toEqual([31]);
    expect(await other.expire()).toEqual([]);
    expect(await one.online([31, 32])).toEqual([32]);
  });

  it('is repaired after Redis lost it, and after unnoticed changes', async () => {
    const own = `test-${randomUUID()}`;
    const node = createRedisPresence({ redis, prefix: own }, { leaseMs: 60_000, clock });
    try {
      await node.arrive([41, 42, 43]);
      expect(await node.renew(() => [41])).toEqual({ arrived: [], gone: [] });
      await redis.del(await redis.keys(`${own}:*`));
      expect(await node.renew(() => [41, 42])).toEqual({ arrived: [41, 42], gone: [] });
      // Until nothing differs it looks again.
      expect(await node.renew(() => [42, 44])).toEqual({ arrived: [44], gone: [41] });
      expect(await node.renew(() => [42, 44])).toEqual({ arrived: [], gone: [] });
      expect(await node.renew(() => [])).toEqual({ arrived: [], gone: [] });
      expect((await node.online([41, 42, 43, 44])).toSorted()).toEqual([42, 44]);
    } finally {
      await redis.del(await redis.keys(`${own}:*`));
    }
  });

  it('keeps a lease that is renewed twice within a millisecond', async () => {
    const own = `test-${randomUUID()}`;
    const node = createRedisPresence({ redis, prefix: own }, { leaseMs: 60_000, clock });
    try {
      await node.arrive([61]);
      await node.renew(() => [61]);
      await node.renew(() => [61]);
      expect(await node.leave(61)).toBe(true);
    } finally {
      await redis.del(await redis.keys(`${own}:*`));
    }
  });

  it('does not affect a node that is back after its lease expired', async () => {
    const own = `test-${randomUUID()}`;
    const slow = createRedisPresence({ redis, prefix: own }, { leaseMs: 60_000, clock });
    const looking = createRedisPresence({ redis, prefix: own }, { leaseMs: 60_000, clock });
    try {
      await slow.arrive([51, 52]);
      const leases = `${own}:presence:leases-of-nodes`;
      for (const name of await redis.zrange(leases, '0', '-1')) await redis.zadd(leases, 0, name);
      expect((await looking.expire()).toSorted()).toEqual([51, 52]);
      // Before it knows, somebody comes to it.
      expect(await slow.arrive([53])).toEqual([53]);
      expect(await slow.renew(() => [51, 53])).toEqual({ arrived: [51], gone: [] });
      expect(await looking.expire()).toEqual([]);
      expect((await looking.online([51, 52, 53])).toSorted()).toEqual([51, 53]);
      expect(await slow.leave(53)).toBe(true);
    } finally {
      await redis.del(await redis.keys(`${own}:*`));
    }
  });
});
