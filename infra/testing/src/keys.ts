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

let ofThisProcess: KeyPair | undefined;

/** The key pair of this test run, or of this process in another kind of run; generated once, since that is slow. */
export function testKeys(): KeyPair {
  const { WAYQUEST_TEST_PRIVATE_KEY: privateKey, WAYQUEST_TEST_PUBLIC_KEY: publicKey } = process.env;
  if (privateKey && publicKey) return { privateKey, publicKey };
  ofThisProcess ??= generateKeys();
  return ofThisProcess;
}
