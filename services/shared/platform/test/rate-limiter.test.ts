import { randomUUID } from 'node:crypto';
import { connectRedis, createRateLimiter } from '@wayquest/platform/redis';
import { createLogger } from '@wayquest/platform/telemetry';
import { describeWith, eventually, needBacking } from '@wayquest/testing';

const logger = createLogger({ name: 'test', level: 'silent' });
const limit = () =>
  ({ name: randomUUID(), points: 3, seconds: 60, problem: 'too-many-requests', detail: 'Slowly.' }) as const;

test('refuses what is above a limit, says why and for how long, and each person has one of their own', async () => {
  const limiter = createRateLimiter(limit());
  for (const count of [1, 2, 3]) expect(await limiter.count('ann')).toBe(count);
  await expect(limiter.count('ann')).rejects.toMatchObject({
    code: 'too-many-requests',
    options: { detail: 'Slowly.', retryAfterSeconds: expect.any(Number) },
  });
  expect(await limiter.count('bob')).toBe(1);
  await limiter.forget('ann');
  expect(await limiter.count('ann', { weight: 2 })).toBe(2);
  await limiter.takeBack('ann');
  expect(await limiter.count('ann')).toBe(2);
});

(await describeWith('redis'))('with Redis', () => {
  test('all instances count together', async () => {
    const redis = connectRedis(await needBacking('redis'), logger);
    await eventually(() => redis.status === 'ready');
    const same = limit();
    const [here, there] = [createRateLimiter(same, redis), createRateLimiter(same, redis)];
    expect([await here.count('ann'), await there.count('ann'), await here.count('ann')]).toEqual([1, 2, 3]);
    await expect(there.count('ann')).rejects.toMatchObject({ code: 'too-many-requests' });
    redis.disconnect();
  });
});
