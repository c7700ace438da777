import type { Redis } from 'ioredis';
import { createRateLimiter } from './rate-limiter.ts';

/** How many of something one may do: in a minute, and in a day. */
export interface Allowances {
  perMinute: number;
  perDay: number;
}

const minute = 60;
const day = 24 * 60 * minute;

/**
 * Counts what somebody does against both allowances. `told` names the things, as in 'challenges'. Throws
 * `too-many-requests` with a sentence that says which of the two it was.
 */
export function createAllowances(
  { name, told, perMinute, perDay }: Allowances & { name: string; told: string },
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
      const most = Math.max(1, Math.floor(points / weight));
      const why = weight > 1 ? ' New accounts have lower limits.' : '';
      await count(String(userId), {
        weight,
        detail: `You've reached the limit of ${most} ${told} a ${within}. ${advice}${why}`,
      });
    }
  };
}
