import { generateKeyPairSync } from 'node:crypto';

export interface KeyPair {
  /** PEM */
  privateKey: string;
  /** PEM */
  publicKey: string;
}

/** A new pair of keys for signing tokens. */
export const generateKeys = (): KeyPair =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

let ofThisProcess: KeyPair | undefined;

/** The pair of keys of this run, or where it is somebody else's of this process: made once, since that is slow. */
export function testKeys(): KeyPair {
  const { WAYQUEST_TEST_PRIVATE_KEY: privateKey, WAYQUEST_TEST_PUBLIC_KEY: publicKey } = process.env;
  if (privateKey && publicKey) return { privateKey, publicKey };
  ofThisProcess ??= generateKeys();
  return ofThisProcess;
}
