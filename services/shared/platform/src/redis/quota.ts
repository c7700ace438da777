import type { Redis } from 'ioredis';
import { limits } from '../core/limits.ts';
import { createRateLimiter } from './rate-limiter.ts';

/** How many of something one account may do per minute and per day. */
export interface Quota {
  perMinute: number;
  perDay: number;
}

/**
 * @param actions - The actions: 'challenges' has the limits `challengesPerMinute` and `challengesPerDay`.
 * @returns Counts an action of an account against both limits; `weight` 1 if not given. Rejects with `too-many-requests`, whose
 * detail says which of the two was exceeded.
 */
export function createQuota(
  actions: 'challenges' | 'changes' | 'completions' | 'logChanges' | 'reports',
  { perMinute, perDay }: Quota,
  redis?: Redis,
): (userId: number, weight?: number) => Promise<void> {
  const counters = [
    { ...limits[`${actions}PerMinute`], max: perMinute },
    { ...limits[`${actions}PerDay`], max: perDay },
  ].map((limit) => ({ ...limit, ...createRateLimiter(limit, redis) }));
  return async (userId, weight = 1) => {
    for (const { max, detail, count } of counters) {
      const newAccountHint = weight > 1 ? ' New accounts have lower limits.' : '';
      await count(String(userId), {
        weight,
        detail: detail(Math.max(1, Math.floor(max / weight))) + newAccountHint,
      });
    }
  };
}
