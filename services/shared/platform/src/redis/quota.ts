import type { Redis } from 'ioredis';
import { createRateLimiter } from './rate-limiter.ts';

/** How many of something one account may do per minute and per day. */
export interface Quota {
  perMinute: number;
  perDay: number;
}

const minute = 60;
const day = 24 * 60 * minute;

/**
 * @param options - The quota; `name` of its counters, `noun` for the message, as 'challenges'.
 * @returns Counts an action of an account against both limits; `weight` 1 if not given. Rejects with `too-many-requests`, whose
 * detail says which of the two was exceeded.
 */
export function createQuota(
  { name, noun, perMinute, perDay }: Quota & { name: string; noun: string },
  redis?: Redis,
): (userId: number, weight?: number) => Promise<void> {
  const problem = 'too-many-requests';
  const counters = [
    {
      ...{ points: perMinute, within: 'minute', advice: 'Please wait a moment.' },
      ...createRateLimiter({ name: `${name}-minute`, points: perMinute, seconds: minute, problem }, redis),
    },
    {
      ...{ points: perDay, within: 'day', advice: 'Please try again tomorrow.' },
      ...createRateLimiter({ name: `${name}-day`, points: perDay, seconds: day, problem }, redis),
    },
  ];
  return async (userId, weight = 1) => {
    for (const { points, within, advice, count } of counters) {
      const max = Math.max(1, Math.floor(points / weight));
      const why = weight > 1 ? ' New accounts have lower limits.' : '';
      await count(String(userId), {
        weight,
        detail: `You've reached the limit of ${max} ${noun} a ${within}. ${advice}${why}`,
      });
    }
  };
}
