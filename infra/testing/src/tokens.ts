import { generateKeyPairSync, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';

export interface KeyPair {
  /** PEM */
  privateKey: string;
  /** PEM */
  publicKey: string;
}

/** Generates a key pair for signing tokens. */
export const generateKeys = (): KeyPair =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

let processKeys: KeyPair | undefined;

/** Returns the key pair of this test run, or else of this process; generated once, since that is slow. */
export function testKeys(): KeyPair {
  const { WAYQUEST_TEST_PRIVATE_KEY: privateKey, WAYQUEST_TEST_PUBLIC_KEY: publicKey } = process.env;
  if (privateKey && publicKey) return { privateKey, publicKey };
  processKeys ??= generateKeys();
  return processKeys;
}

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
