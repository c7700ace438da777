import { randomUUID } from 'node:crypto';
import { createRateLimiter } from '@wayquest/platform/redis';

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
