import { createPublicKey } from 'node:crypto';
import { TokenClaims } from '@wayquest/contracts';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { Problem } from './problem.ts';
import type { Revocations } from './revocations.ts';

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
  /** The caller that a token speaks for. Throws `invalid-token` for one that is wrong, expired or revoked. */
  verify(token: string): Promise<Caller>;
  forgetCached(): void;
}

/** How long an instance may go on trusting a token after another one heard of its revocation. */
const trustMs = 5_000;

/** Verifies RS256 tokens with the public key alone; the algorithm is pinned, verified tokens are cached shortly. */
export function createTokenGuard({
  publicKey,
  revocations,
}: {
  publicKey: string;
  revocations: Pick<Revocations, 'covers'>;
}): TokenGuard {
  const key = createPublicKey(publicKey);
  const trusted = new LRUCache<string, Caller>({ max: 10_000, ttl: trustMs });
  let heard = 0;

  const check = (token: string): TokenClaims => {
    try {
      return TokenClaims.parse(jwt.verify(token, key, { algorithms: ['RS256'] }));
    } catch (error) {
      throw new Problem('invalid-token', { cause: error });
    }
  };

  return {
    async verify(token) {
      const known = trusted.get(token);
      if (known && known.claims.exp * 1_000 > Date.now()) return known;
      const claims = check(token);
      const heardBefore = heard;
      if (await revocations.covers(claims)) throw new Problem('invalid-token');
      const caller = { id: claims.sub, username: claims.username, admin: claims.admin, token, claims };
      // What was asked before a revocation came may have missed it.
      if (heard === heardBefore) trusted.set(token, caller);
      return caller;
    },
    forgetCached() {
      heard += 1;
      trusted.clear();
    },
  };
}

/** The token of an `authorization` header: as it is, or behind `Bearer `. */
export const tokenOf = (header: string | undefined): string | undefined =>
  header?.replace(/^Bearer\s+/i, '').trim() || undefined;
