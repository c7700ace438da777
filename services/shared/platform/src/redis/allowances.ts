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
): (userId: number) => Promise<void> {
  const problem = 'too-many-requests';
  const counters = [
    createRateLimiter(
      {
        ...{ name: `${name}-minute`, points: perMinute, seconds: minute, problem },
        detail: `That were ${perMinute} ${told} in a minute. Please wait a moment.`,
      },
      redis,
    ),
    createRateLimiter(
      {
        ...{ name: `${name}-day`, points: perDay, seconds: day, problem },
        detail: `That were ${perDay} ${told} in a day. Please go on tomorrow.`,
      },
      redis,
    ),
  ];
  return async (userId) => {
    for (const counter of counters) await counter.count(String(userId));
  };
}
