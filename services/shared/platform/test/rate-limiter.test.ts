import { randomUUID } from 'node:crypto';
import { createQuota, createRateLimiter } from '@wayquest/platform/redis';
import { weightOf } from '@wayquest/platform/tokens';

const limit = () =>
  ({
    name: randomUUID(),
    max: 3,
    seconds: 60,
    problem: 'too-many-requests',
    detail: () => 'Slowly.',
  }) as const;

test('rejects calls above the limit of a key, with the message and the time to wait', async () => {
  const limiter = createRateLimiter(limit());
  for (const count of [1, 2, 3]) expect(await limiter.count('ann')).toBe(count);
  await expect(limiter.count('ann')).rejects.toMatchObject({
    code: 'too-many-requests',
    options: { detail: 'Slowly.', retryAfterSeconds: expect.any(Number) },
  });
  const { options } = await limiter.count('ann').catch((problem) => problem);
  expect(options.retryAfterSeconds).toBeGreaterThanOrEqual(1);
  expect(options.retryAfterSeconds).toBeLessThanOrEqual(60);
  expect(await limiter.count('bob')).toBe(1);
  await limiter.reset('ann');
  expect(await limiter.count('ann', { weight: 2 })).toBe(2);
  await limiter.refund('ann');
  expect(await limiter.count('ann')).toBe(2);
});

const hourS = 3_600;
test.each([
  ['an account just made', 0, 4],
  ['an account about to grow old', 23.9, 4],
  ['an account that has grown old', 24.1, 1],
  ['a token of before they said', undefined, 1],
])('%s has this weight', (_, hoursOld, weight) => {
  const now = Date.parse('2026-05-01T12:00:00Z');
  const registeredAt = hoursOld === undefined ? undefined : now / 1_000 - hoursOld * hourS;
  const claims = { sub: 1, username: 'ann', admin: false, jti: 'a', iat: 0, exp: 0, registeredAt };
  expect(weightOf({ hours: 24, weight: 4 }, { claims }, now)).toBe(weight);
});

test('a weight above the whole limit is accepted once', async () => {
  const limiter = createRateLimiter(limit());
  expect(await limiter.count('ann', { weight: 5 })).toBe(3);
  await expect(limiter.count('ann', { weight: 5, detail: 'Later.' })).rejects.toMatchObject({
    options: { detail: 'Later.' },
  });
});

test('a quota says which limit was exceeded, how many it allows, and that new accounts have less', async () => {
  const [perMinute, perDay] = [
    createQuota('challenges', { perMinute: 2, perDay: 8 }),
    createQuota('challenges', { perMinute: 8, perDay: 2 }),
  ];
  for (const count of [perMinute, perDay]) await count(1, 2);
  const detailsOf = (count: Promise<void>) =>
    count.then(
      () => undefined,
      ({ options }) => options.detail,
    );
  expect(await detailsOf(perMinute(1, 2))).toMatch(/\b1\b.*minute.* New accounts have lower limits\.$/);
  expect(await detailsOf(perDay(1, 2))).toMatch(/\b1\b.*day.* New accounts have lower limits\.$/);
  await perMinute(2);
  await perMinute(2);
  const detail = await detailsOf(perMinute(2));
  expect(detail).toMatch(/\b2\b.*minute/);
  expect(detail).not.toContain('New accounts');
});
