import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, chownSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { expiryFor } from '@wayquest/auth';
import { fileReloadIntervalMs, publicKeyOf, publicKeysOf } from '@wayquest/platform/settings';

/** The files of the key that signs tokens, and of those that verify them. */
export interface KeyFiles {
  privateFile: string;
  publicFile: string;
}

/** Replaces a file atomically, with the same owner and mode. */
function replace(file: string, text: string): void {
  const { mode, uid, gid } = statSync(file);
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  if (process.getuid?.() === 0) chownSync(`${file}.new`, uid, gid);
  chmodSync(`${file}.new`, mode);
  renameSync(`${file}.new`, file);
}

const publicPems = (file: string): string[] =>
  [...publicKeysOf(readFileSync(file, 'utf8')).values()].map((key) =>
    key.export({ type: 'spki', format: 'pem' }).toString(),
  );

/** When the last token of earlier keys expires: the private key signs since its file was written. */
const earlierTokensExpireAt = ({ privateFile }: KeyFiles): Date =>
  expiryFor(statSync(privateFile).mtimeMs + 2 * fileReloadIntervalMs);

/** Removes all public keys but that of the signing key; returns how many. */
function removeOldKeys(files: KeyFiles): number {
  const pems = publicPems(files.publicFile);
  const { pem } = publicKeyOf(readFileSync(files.privateFile, 'utf8'));
  if (!pems.includes(pem))
    throw new Error(`${files.publicFile} does not contain the public key of the signing key.`);
  if (pems.length > 1) replace(files.publicFile, pem);
  return pems.length - 1;
}

/**
 * Rotates the signing key: publishes the new public key, waits until all services have read it, and then signs with the
 * new private key. So no service gets a token whose key it does not know. The old public key remains.
 */
export async function rotateKeys(files: KeyFiles, waitUntilRead: () => Promise<unknown>): Promise<void> {
  if (earlierTokensExpireAt(files) < new Date()) removeOldKeys(files);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  replace(files.publicFile, [...publicPems(files.publicFile), publicKeyOf(pem).pem].join(''));
  await waitUntilRead();
  replace(files.privateFile, pem);
}

/**
 * Removes the public keys of earlier signing keys once their last token has expired, or `now`. Throws a sentence if it
 * has not.
 */
export function retireKeys(files: KeyFiles, { now = false }: { now?: boolean } = {}): number {
  const expiresAt = earlierTokensExpireAt(files);
  if (!now && expiresAt > new Date() && publicPems(files.publicFile).length > 1)
    throw new Error(
      `Tokens of the previous key are valid until ${expiresAt.toISOString()}. Run the command again after that, or \`retire-keys now\` to invalidate them immediately.`,
    );
  return removeOldKeys(files);
}
