import { generateKeyPairSync } from 'node:crypto';

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
