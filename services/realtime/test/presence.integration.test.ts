import { randomUUID } from 'node:crypto';
import type { Redis } from '@wayquest/platform/redis';
import { connectTestRedis, createTestClock, describeWith, useShared } from '@wayquest/testing';
import { createRedisPresence, type Presence } from '../src/presence.ts';
import { presenceSuite } from './presence-suite.ts';

(await describeWith('redis'))('presence in Redis', () => {
  // Not advanced, so all calls happen within first millisecond.
  const clock = createTestClock();
  const prefix = `test-${randomUUID()}`;
  let redis: Redis;
  let first: Presence;
  let second: Presence;
  beforeAll(async () => {
    redis = await connectTestRedis(await useShared('redis'));
    first = createRedisPresence({ redis, prefix }, { leaseMs: 60_000, clock });
    second = createRedisPresence({ redis, prefix }, { leaseMs: 60_000, clock });
  });
  afterAll(async () => {
    const keys = await redis.keys(`${prefix}:*`);
    if (keys.length) await redis.del(keys);
    redis.disconnect();
  });

  presenceSuite(() => first);

  it('is shared by all nodes: a user on two nodes arrives with the first and leaves with the last', async () => {
    expect(await first.setOnline([21])).toEqual([21]);
    expect(await second.setOnline([21])).toEqual([]);
    expect(await first.setOnline([21])).toEqual([]);
    expect(await first.setOffline(21)).toBe(false);
    expect(await second.online([21])).toEqual([21]);
    expect(await second.setOffline(21)).toBe(true);
    expect(await first.online([21])).toEqual([]);
  });

  it('removes the users of a node that does not renew its lease, once, and no others', async () => {
    const crashed = createRedisPresence({ redis, prefix }, { leaseMs: -1, clock });
    await crashed.setOnline([31, 32]);
    await first.setOnline([32]);
    expect(await first.expire()).toEqual([31]);
    expect(await second.expire()).toEqual([]);
    expect(await first.online([31, 32])).toEqual([32]);
  });

  it('removes all users of a crashed node at once, however many it had (code 16)', async () => {
    const ownPrefix = `test-${randomUUID()}`;
    const crashed = createRedisPresence({ redis, prefix: ownPrefix }, { leaseMs: -1, clock });
    const observer = createRedisPresence({ redis, prefix: ownPrefix }, { leaseMs: 60_000, clock });
    const people = Array.from({ length: 1_200 }, (_, n) => 10_000 + n);
    try {
      await crashed.setOnline(people);
      expect((await observer.expire()).toSorted((a, b) => a - b)).toEqual(people);
      expect(await observer.online(people)).toEqual([]);
      expect(await observer.expire()).toEqual([]);
    } finally {
      await redis.unlink(`${ownPrefix}:none`, ...(await redis.keys(`${ownPrefix}:*`)));
    }
  });

  it('is repaired after Redis lost it, and after unnoticed changes', async () => {
    const ownPrefix = `test-${randomUUID()}`;
    const node = createRedisPresence({ redis, prefix: ownPrefix }, { leaseMs: 60_000, clock });
    try {
      await node.setOnline([41, 42, 43]);
      expect(await node.renew(() => [41])).toEqual({ cameOnline: [], wentOffline: [] });
      await redis.del(await redis.keys(`${ownPrefix}:*`));
      expect(await node.renew(() => [41, 42])).toEqual({ cameOnline: [41, 42], wentOffline: [] });
      // Renewing repairs differences until there are none.
      expect(await node.renew(() => [42, 44])).toEqual({ cameOnline: [44], wentOffline: [41] });
      expect(await node.renew(() => [42, 44])).toEqual({ cameOnline: [], wentOffline: [] });
      expect(await node.renew(() => [])).toEqual({ cameOnline: [], wentOffline: [] });
      expect((await node.online([41, 42, 43, 44])).toSorted()).toEqual([42, 44]);
    } finally {
      await redis.del(await redis.keys(`${ownPrefix}:*`));
    }
  });

  it('keeps a lease that is renewed twice within a millisecond', async () => {
    const ownPrefix = `test-${randomUUID()}`;
    const node = createRedisPresence({ redis, prefix: ownPrefix }, { leaseMs: 60_000, clock });
    try {
      await node.setOnline([61]);
      await node.renew(() => [61]);
      await node.renew(() => [61]);
      expect(await node.setOffline(61)).toBe(true);
    } finally {
      await redis.del(await redis.keys(`${ownPrefix}:*`));
    }
  });

  it('restores the users of a node that renews its lease after it expired', async () => {
    const ownPrefix = `test-${randomUUID()}`;
    const slow = createRedisPresence({ redis, prefix: ownPrefix }, { leaseMs: 60_000, clock });
    const observer = createRedisPresence({ redis, prefix: ownPrefix }, { leaseMs: 60_000, clock });
    try {
      await slow.setOnline([51, 52]);
      const leases = `${ownPrefix}:presence:leases-of-nodes`;
      for (const name of await redis.zrange(leases, '0', '-1')) await redis.zadd(leases, 0, name);
      expect((await observer.expire()).toSorted()).toEqual([51, 52]);
      // A user arrives before the node notices.
      expect(await slow.setOnline([53])).toEqual([53]);
      expect(await slow.renew(() => [51, 53])).toEqual({ cameOnline: [51], wentOffline: [] });
      expect(await observer.expire()).toEqual([]);
      expect((await observer.online([51, 52, 53])).toSorted()).toEqual([51, 53]);
      expect(await slow.setOffline(53)).toBe(true);
    } finally {
      await redis.del(await redis.keys(`${ownPrefix}:*`));
    }
  });
});
