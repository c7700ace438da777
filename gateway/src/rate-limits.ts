import { hash } from 'node:crypto';
import type { Operation } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { type Allowance, limits } from '@wayquest/platform/core';
import { ipPrefix64 } from '@wayquest/platform/http';
import { createEventualRateLimiter, createRateLimiter, type Redis } from '@wayquest/platform/redis';
import { tokenOf } from '@wayquest/platform/tokens';

/** The keys by which a request counts against the limits. */
export interface RateLimitKey {
  network: string;
  /** A hash of the token, the same for all its spellings; the network for a request without one. */
  client: string;
}

/**
 * The part of a token that its signature covers. The key excludes the signature, because its last character has sixteen
 * equivalent encodings, each of which would have limits of its own.
 */
const signedPart = (token: string): string => token.slice(0, Math.max(0, token.lastIndexOf('.'))) || token;

/**
 * Derives the keys before the token is verified.
 *
 * @param authorization - The header's value.
 */
export function rateLimitKeyOf(address: string, authorization: string | undefined): RateLimitKey {
  const network = ipPrefix64(address);
  const token = tokenOf(authorization);
  return { network, client: token === undefined ? network : hash('sha256', signedPart(token), 'base64url') };
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

/** A page makes several calls at once; if they are rejected, so many get an immediate response. */
const { max: burst, seconds } = limits.rejections;
const windowMs = seconds * 1_000;
const delayMs = 1_000;

/**
 * Delays responses to clients that continue although they are rejected: rejecting thousands of calls a second takes
 * nearly as much CPU as serving them, at the expense of others.
 *
 * @param clock - Windows are seconds of this clock.
 * @returns A function to await before a rejection is sent; its argument is the client's network.
 */
export function createTarpit(clock: Clock): (network: string) => Promise<void> {
  let current = 0;
  let rejections = new Map<string, number>();
  return async (network) => {
    const window = Math.floor(clock.now() / windowMs);
    if (window !== current) {
      current = window;
      rejections = new Map();
    }
    const count = (rejections.get(network) ?? 0) + 1;
    rejections.set(network, count);
    if (count > burst) await clock.sleep(delayMs);
  };
}
