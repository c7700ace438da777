import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { privateKeySetting } from '@wayquest/auth';
import {
  type DynamicText,
  keyFilesIn,
  publicKeyOf,
  serviceSettings,
  watchFile,
} from '@wayquest/platform/settings';
import type { Logger } from '@wayquest/platform/telemetry';
import { contentOf, writeContent } from './data-files.ts';

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
    await writeContent(privateFile, privateKey);
  }
  const { pem } = publicKeyOf(privateKey);
  // The public keys are of the previous release, or of a private key that no longer exists.
  if (!(await contentOf(publicFile))?.includes(pem)) await writeContent(publicFile, pem);
  return {
    privateKey: watchFile(privateFile, privateKeySetting, { logger }),
    publicKey: watchFile(publicFile, serviceSettings.shape.JWT_PUBLIC_KEY, { logger }),
  };
}
