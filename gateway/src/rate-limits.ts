import type { Operation } from '@wayquest/contracts';
import { type connectRedis, createEventualRateLimiter, createRateLimiter } from '@wayquest/platform/redis';
import type { Visitor } from './visitor.ts';

type Redis = ReturnType<typeof connectRedis>;

/** So many in so many seconds. */
export interface Allowance {
  points: number;
  seconds: number;
}

export interface RateLimits {
  /** All calls from one address, where a school or an office may sit behind one. */
  perAddress: Allowance;
  /** The calls of one token, or of one address as far as they come without any. */
  perCaller: Allowance;
  /** Calls that try a secret (logging in, signing up …), per address; auth limits them per account as well. */
  attempts: Allowance;
}

export const defaultRateLimits: RateLimits = {
  perAddress: { points: 6_000, seconds: 60 },
  perCaller: { points: 600, seconds: 60 },
  attempts: { points: 200, seconds: 600 },
};

/** Counts a call; rejects with the problem of the limit that it breaks. */
export type CountCall = (
  operation: Pick<Operation, 'problems' | 'navigation' | 'weight'>,
  visitor: Visitor,
) => Promise<void>;

/**
 * Limits what one caller may ask for. With Redis all gateways count together: attempts exactly, the general limits within a
 * second, since a round trip for every call would cost more than the call.
 */
export function createRateLimits(limits: RateLimits, redis?: Redis): CountCall {
  const general = 'too-many-requests';
  const perAddress = createEventualRateLimiter(
    { name: 'address', problem: general, ...limits.perAddress },
    redis,
  );
  const perCaller = createEventualRateLimiter(
    { name: 'caller', problem: general, ...limits.perCaller },
    redis,
  );
  const attempts = createRateLimiter(
    { name: 'attempts', problem: 'too-many-attempts', ...limits.attempts },
    redis,
  );

  return async (operation, { network, caller }) => {
    const { weight } = operation;
    await perAddress.count(network, { weight });
    if (operation.problems.includes('too-many-attempts')) await attempts.count(network);
    // A page asks for as many pictures as it shows people; they count against the address alone.
    if (!operation.navigation) await perCaller.count(caller, { weight });
  };
}
