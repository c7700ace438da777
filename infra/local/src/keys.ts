import { generateKeyPair } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { privateKeySetting } from '@wayquest/auth';
import {
  type DynamicText,
  keyFilesIn,
  publicKeyOf,
  serviceSettings,
  watchFile,
} from '@wayquest/platform/process';
import type { Logger } from '@wayquest/platform/telemetry';

export interface Keys {
  /** PEM. */
  privateKey: DynamicText;
  /** PEM, one key or several. */
  publicKey: DynamicText;
}

/** Returns a private key with its public half. */
export const withPublicHalf = (privateKey: string): Keys => ({
  privateKey,
  publicKey: publicKeyOf(privateKey).pem,
});

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const contentOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/** Written to another file first: an interrupted start must not leave an incomplete key. */
async function write(file: string, pem: string): Promise<void> {
  await writeFile(`${file}.new`, pem, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function newKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * The keys for signing and verifying tokens: generated at the first start, stored in the folder, and read again when
 * their files change.
 */
export async function keysIn(directory: string, logger: Logger): Promise<Keys> {
  const { privateFile, publicFile } = keyFilesIn(directory);
  let privateKey = await contentOf(privateFile);
  if (privateKey === undefined) {
    privateKey = await newKey();
    await write(privateFile, privateKey);
  }
  const { pem } = publicKeyOf(privateKey);
  // The public keys are of the previous release, or of a private key that no longer exists.
  if (!(await contentOf(publicFile))?.includes(pem)) await write(publicFile, pem);
  return {
    privateKey: watchFile(privateFile, privateKeySetting, { logger }),
    publicKey: watchFile(publicFile, serviceSettings.shape.JWT_PUBLIC_KEY, { logger }),
  };
}
