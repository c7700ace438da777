import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import { type DynamicText, derivedFrom, publicKeyOf } from '@wayquest/platform/settings';
import jwt from 'jsonwebtoken';
import type { Account } from './account.model.ts';

const lifetimeMs = 14 * 24 * 60 * 60 * 1_000;

/** An issued token; `id` is its `jti`. */
export interface IssuedToken {
  token: string;
  id: string;
  generation: number;
  issuedAt: Date;
  expiresAt: Date;
}

export interface Tokens {
  /**
   * Issues a token for an account as it was read at a time. The token has that date, so that a revocation between
   * reading and responding covers it.
   */
  issue(account: Account, readAt: number): IssuedToken;
}

/** When all tokens issued until a time have expired. */
export const expiryFor = (moment: number): Date => new Date(moment + lifetimeMs);

/**
 * Signs tokens (RS256) with the id of their key. A new key does not sign until its public half is among the published
 * ones.
 */
export function createTokens(
  privateKey: DynamicText,
  publicKeys: () => ReadonlyMap<string, KeyObject>,
): Tokens {
  const newest = derivedFrom(privateKey, (pem) => ({
    key: createPrivateKey(pem),
    kid: publicKeyOf(pem).kid,
  }));
  let signer = newest();
  return {
    issue({ _id, username, admin, tokensValidFrom, generation = 0, registeredAt }, readAt) {
      const issuedAt = Math.max(readAt, tokensValidFrom.getTime());
      const expiresAt = expiryFor(issuedAt);
      const id = randomUUID();
      const claims = {
        sub: String(_id),
        username,
        admin,
        jti: id,
        iat: issuedAt / 1_000,
        exp: Math.floor(expiresAt.getTime() / 1_000),
        generation,
        ...(registeredAt && { registeredAt: Math.floor(registeredAt.getTime() / 1_000) }),
      };
      if (publicKeys().has(newest().kid)) signer = newest();
      const token = jwt.sign(claims, signer.key, { algorithm: 'RS256', keyid: signer.kid });
      return { token, id, generation, issuedAt: new Date(issuedAt), expiresAt };
    },
  };
}
