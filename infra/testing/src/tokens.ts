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

/** Signs a token that was never issued: for any user, with admin rights, or expired, as the claims say. */
export function signToken(claims: Partial<ForgedClaims> = {}, privateKey = testKeys().privateKey): string {
  const now = Math.floor(Date.now() / 1_000);
  const whole: ForgedClaims = {
    sub: '1',
    username: 'somebody',
    admin: false,
    jti: randomUUID(),
    iat: now,
    exp: now + 3_600,
    ...claims,
  };
  return jwt.sign(whole, privateKey, { algorithm: 'RS256' });
}
