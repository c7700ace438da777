import { TokenClaims } from '@wayquest/contracts';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { Problem } from '../core/problem.ts';
import { type DynamicText, derivedFrom } from '../settings/dynamic-text.ts';
import { publicKeysOf } from '../settings/public-keys.ts';
import type { RevocationData, Revocations } from './revocations.ts';

/**
 * The problem for a suspended user; undefined after the suspension.
 *
 * @param now - In milliseconds since 1970.
 */
export function suspensionProblem(until: Date | null | undefined, now: number): Problem | undefined {
  if (!until || until.getTime() <= now) return undefined;
  const day = until.toISOString().slice(0, 16).replace('T', ' ');
  return new Problem('suspended', { detail: `Your account is suspended until ${day} (UTC).` });
}

/** Who calls, from a verified token. */
export interface Caller {
  id: number;
  username: string;
  admin: boolean;
  /** The token itself, for calls in the caller's name. */
  token: string;
  claims: TokenClaims;
}

export interface TokenGuard {
  /**
   * Verifies a token. Throws `invalid-token` if it is invalid, expired or revoked, and `account-suspended` during a
   * suspension.
   */
  verify(token: string): Promise<Caller>;
  /**
   * Verifies the token of a job that its owner started, also if their session has ended since, or the token expired within the last
   * day: who signed it for whom, not whether it was revoked. Only for internal operations, which no client reaches.
   */
  verifyJob(token: string): Caller;
  /** Removes cached tokens that a revocation may cover: the named one, or all of the user. */
  invalidate(revoked: Pick<RevocationData, 'userId' | 'tokenId'>): void;
}

/**
 * Maximum clock skew of tokens. A token dated further ahead is rejected, and revocations are kept for as much longer,
 * so that no token outlives its revocation.
 */
export const clockSkewMs = 24 * 60 * 60 * 1_000;

/** How long after its token has expired a job may take. */
const jobToleranceSeconds = 24 * 60 * 60;

/** How long an instance may accept a cached token after its revocation. */
const tokenCacheMs = 5_000;

/**
 * Verifies RS256 tokens with the public keys: each with the key of its `kid` only. The algorithm is pinned, and
 * verified tokens are cached for a short time.
 */
export function createTokenGuard({
  publicKey,
  revocations,
}: {
  publicKey: DynamicText;
  revocations: Pick<Revocations, 'covers' | 'suspendedUntil'>;
}): TokenGuard {
  const tokensOf = new Map<number, Set<string>>();
  const verifiedTokens = new LRUCache<string, Caller>({
    max: 10_000,
    ttl: tokenCacheMs,
    dispose({ id }, token) {
      const tokens = tokensOf.get(id);
      tokens?.delete(token);
      if (!tokens?.size) tokensOf.delete(id);
    },
  });
  /** After a key was removed, its cached tokens are no longer accepted. */
  const keys = derivedFrom(publicKey, (pem) => {
    verifiedTokens.clear();
    return publicKeysOf(pem);
  });
  let revocationCount = 0;

  const cache = (caller: Caller): void => {
    verifiedTokens.set(caller.token, caller);
    tokensOf.set(caller.id, (tokensOf.get(caller.id) ?? new Set()).add(caller.token));
  };

  /** Tokens without a `kid`, from older versions, belong to the oldest key, which is the first. */
  const keyOf = (token: string, verificationKeys: ReturnType<typeof keys>) => {
    const kid = jwt.decode(token, { complete: true })?.header.kid;
    const key = kid === undefined ? [...verificationKeys.values()][0] : verificationKeys.get(kid);
    if (!key) throw new Error('unknown key id');
    return key;
  };

  const check = (
    token: string,
    verificationKeys: ReturnType<typeof keys>,
    clockTolerance = 0,
  ): TokenClaims => {
    try {
      const options = { algorithms: ['RS256' as const], clockTolerance };
      return TokenClaims.parse(jwt.verify(token, keyOf(token, verificationKeys), options));
    } catch (error) {
      throw new Problem('invalid-token', { cause: error });
    }
  };

  const callerOf = (claims: TokenClaims, token: string): Caller => ({
    ...{ id: claims.sub, username: claims.username, admin: claims.admin, token, claims },
  });

  return {
    verifyJob: (token) => callerOf(check(token, keys(), jobToleranceSeconds), token),

    async verify(token) {
      const verificationKeys = keys();
      const cached = verifiedTokens.get(token);
      if (cached && cached.claims.exp * 1_000 > Date.now()) return cached;
      const claims = check(token, verificationKeys);
      if (claims.iat * 1_000 > Date.now() + clockSkewMs) throw new Problem('invalid-token');
      const countBefore = revocationCount;
      if (await revocations.covers(claims))
        throw (
          suspensionProblem(await revocations.suspendedUntil(claims.sub), Date.now()) ??
          new Problem('invalid-token')
        );
      const caller = callerOf(claims, token);
      // A query that started before a revocation arrived may have missed it.
      if (revocationCount === countBefore) cache(caller);
      return caller;
    },
    invalidate({ userId, tokenId }) {
      revocationCount += 1;
      for (const token of [...(tokensOf.get(userId) ?? [])]) {
        if (tokenId === null || verifiedTokens.peek(token)?.claims.jti === tokenId)
          verifiedTokens.delete(token);
      }
    },
  };
}

/** Returns the token of an `authorization` header, with or without `Bearer `. */
export const tokenOf = (header: string | undefined): string | undefined =>
  header?.replace(/^Bearer\s+/i, '').trim() || undefined;

/** Limits are lower in an account's first hours: each action counts `weight` times. */
export interface NewAccounts {
  hours: number;
  weight: number;
}

const hourMs = 3_600_000;

/**
 * How many times an action of the caller counts against a limit. A token without a registration time is not a new
 * account's.
 */
export function weightOf(
  { hours, weight }: NewAccounts,
  { claims: { registeredAt } }: Pick<Caller, 'claims'>,
  now = Date.now(),
): number {
  const isNew = registeredAt !== undefined && now < registeredAt * 1_000 + hours * hourMs;
  return isNew ? weight : 1;
}
