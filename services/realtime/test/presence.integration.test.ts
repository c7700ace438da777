import { randomUUID } from 'node:crypto';
import { connectRedis } from '@wayquest/platform/redis';
import { createLogger } from '@wayquest/platform/telemetry';
import { describeWith, eventually, needBacking } from '@wayquest/testing';
import type { Presence } from '../src/presence.ts';
import { createRedisPresence } from '../src/redis-presence.ts';
import { presenceSuite } from './presence-suite.ts';

(await describeWith('redis'))('presence in Redis', () => {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const prefix = `test-${randomUUID()}`;
  let redis: ReturnType<typeof connectRedis>;
  let one: Presence;
  let other: Presence;
  beforeAll(async () => {
    redis = connectRedis(await needBacking('redis'), logger);
    await eventually(() => redis.status === 'ready');
    one = createRedisPresence({ redis, prefix }, { leaseMs: 60_000 });
    other = createRedisPresence({ redis, prefix }, { leaseMs: 60_000 });
  });
  afterAll(async () => {
    const keys = await redis.keys(`${prefix}:*`);
    if (keys.length) await redis.del(keys);
    redis.disconnect();
  });

  presenceSuite(() => one);

  it('is one for all nodes: who is on two comes with the first and goes with the last', async () => {
    expect(await one.arrive([21])).toEqual([21]);
    expect(await other.arrive([21])).toEqual([]);
    expect(await one.arrive([21])).toEqual([]);
    expect(await one.leave(21)).toBe(false);
    expect(await other.online([21])).toEqual([21]);
    expect(await other.leave(21)).toBe(true);
    expect(await one.online([21])).toEqual([]);
  });

  it('ends what a node held that does not renew it, once, and nothing else', async () => {
    const crashed = createRedisPresence({ redis, prefix }, { leaseMs: -1 });
    await crashed.arrive([31, 32]);
    await one.arrive([32]);
    expect(await one.expire()).toEqual([31]);
    expect(await other.expire()).toEqual([]);
    expect(await one.online([31, 32])).toEqual([32]);
  });
});
