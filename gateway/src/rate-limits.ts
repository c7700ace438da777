import type { Operation } from '@wayquest/contracts';
import { type Allowance, limits } from '@wayquest/platform/core';
import { createEventualRateLimiter, createRateLimiter, type Redis } from '@wayquest/platform/redis';
import type { RateLimitKey } from './rate-limit-key.ts';

export interface RateLimits {
  /** All requests of one address, which a school or an office may share. */
  perAddress: Allowance;
  /** Requests of one token, or of one address without a token. */
  perToken: Allowance;
  /** Requests that try a secret (login, sign-up …), per address; auth limits them per account as well. */
  attempts: Allowance;
}

export const defaultRateLimits: RateLimits = {
  perAddress: limits.requestsPerAddress,
  perToken: limits.requestsPerToken,
  attempts: limits.attemptsPerAddress,
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
export function createRateLimits(overrides: RateLimits, redis?: Redis): CountRequest {
  const perAddress = createEventualRateLimiter(
    { ...limits.requestsPerAddress, ...overrides.perAddress },
    redis,
  );
  const perToken = createEventualRateLimiter({ ...limits.requestsPerToken, ...overrides.perToken }, redis);
  const attempts = createRateLimiter({ ...limits.attemptsPerAddress, ...overrides.attempts }, redis);

  return async (operation, { network, client }) => {
    const { weight } = operation;
    await perAddress.count(network, { weight });
    if (operation.problems.includes('too-many-attempts')) await attempts.count(network);
    // A page requests a picture for each person that it shows; these count against the address only.
    if (!operation.navigation) await perToken.count(client, { weight });
  };
}
