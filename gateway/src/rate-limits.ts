import type { Operation } from '@wayquest/contracts';
import { type connectRedis, createEventualRateLimiter, createRateLimiter } from '@wayquest/platform/redis';
import type { RateLimitKey } from './rate-limit-key.ts';

type Redis = ReturnType<typeof connectRedis>;

/** `points` requests in `seconds`. */
export interface Allowance {
  points: number;
  seconds: number;
}

export interface RateLimits {
  /** All requests of one address, which a school or an office may share. */
  perAddress: Allowance;
  /** Requests of one token, or of one address without a token. */
  perToken: Allowance;
  /** Requests that try a secret (login, sign-up …), per address; auth limits them per account as well. */
  attempts: Allowance;
}

export const defaultRateLimits: RateLimits = {
  perAddress: { points: 6_000, seconds: 60 },
  perToken: { points: 600, seconds: 60 },
  attempts: { points: 200, seconds: 600 },
};

/** Counts a request. Rejects with the problem of the limit that it exceeds. */
export type CountRequest = (
  operation: Pick<Operation, 'problems' | 'navigation' | 'weight'>,
  key: RateLimitKey,
) => Promise<void>;

/**
 * Limits the requests of each client. With Redis all gateways count together: attempts exactly, the general limits within a
 * second, since a round trip for every call would cost more than the call.
 */
export function createRateLimits(limits: RateLimits, redis?: Redis): CountRequest {
  const general = 'too-many-requests';
  const perAddress = createEventualRateLimiter(
    { name: 'address', problem: general, ...limits.perAddress },
    redis,
  );
  const perToken = createEventualRateLimiter({ name: 'caller', problem: general, ...limits.perToken }, redis);
  const attempts = createRateLimiter(
    { name: 'attempts', problem: 'too-many-attempts', ...limits.attempts },
    redis,
  );

  return async (operation, { network, client }) => {
    const { weight } = operation;
    await perAddress.count(network, { weight });
    if (operation.problems.includes('too-many-attempts')) await attempts.count(network);
    // A page requests a picture for each person that it shows; these count against the address only.
    if (!operation.navigation) await perToken.count(client, { weight });
  };
}
