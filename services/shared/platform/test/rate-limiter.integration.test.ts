import { randomUUID } from 'node:crypto';
import { createRateLimiter } from '@wayquest/platform/redis';
import { connectTestRedis, describeWith, useShared } from '@wayquest/testing';

(await describeWith('redis'))('rate limits in Redis', () => {
  test('count calls to all instances together', async () => {
    const redis = await connectTestRedis(await useShared('redis'));
    const same = {
      name: randomUUID(),
      max: 3,
      seconds: 60,
      problem: 'too-many-requests',
      detail: () => 'Slowly.',
    } as const;
    const [first, second] = [createRateLimiter(same, redis), createRateLimiter(same, redis)];
    expect([await first.count('ann'), await second.count('ann'), await first.count('ann')]).toEqual([
      1, 2, 3,
    ]);
    await expect(second.count('ann')).rejects.toMatchObject({ code: 'too-many-requests' });
    redis.disconnect();
  });
});
