import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { testKeys } from './keys.ts';

export interface ForgedClaims {
  sub: string;
  username: string;
  admin: boolean;
  jti: string;
  iat: number;
  exp: number;
  /** Tokens without one are covered by every revocation of all tokens of a user. */
  generation?: number;
}

/** Signs a token with arbitrary claims, without the auth service; by default that of a user who is not an admin. */
export function signToken(claims: Partial<ForgedClaims> = {}, privateKey = testKeys().privateKey): string {
  const now = Math.floor(Date.now() / 1_000);
  const allClaims: ForgedClaims = {
    sub: '1',
    username: 'somebody',
    admin: false,
    jti: randomUUID(),
    iat: now,
    exp: now + 3_600,
    ...claims,
  };
  return jwt.sign(allClaims, privateKey, { algorithm: 'RS256' });
}
