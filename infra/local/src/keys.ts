import { createPublicKey, generateKeyPair } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface KeyPair {
  /** PEM */
  privateKey: string;
  /** PEM */
  publicKey: string;
}

/** A private key with its public half. */
export const withPublicHalf = (privateKey: string): KeyPair => ({
  privateKey,
  publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
});

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The pair of keys that tokens are signed with: made at the first start, kept in the folder. */
export async function keysIn(directory: string): Promise<KeyPair> {
  const file = join(directory, 'jwt-private-key.pem');
  try {
    return withPublicHalf(await readFile(file, 'utf8'));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  // Under another name first: a start that is cut short must not leave half a key.
  await writeFile(`${file}.new`, pem, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return withPublicHalf(pem);
}
