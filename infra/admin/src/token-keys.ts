import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, chownSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { expiryFor } from '@wayquest/auth';
import { fileIsReadEveryMs, publicHalfOf, publicKeysOf } from '@wayquest/platform/process';

/** Where the key is that tokens are signed with, and those that they are verified with. */
export interface KeyFiles {
  privateFile: string;
  publicFile: string;
}

/** Replaces a file as a whole, for those who could read it before. */
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

/** When the last token of the keys before has run out: since its file was written, the private key is who signs. */
const othersRunOutAt = ({ privateFile }: KeyFiles): Date =>
  expiryFor(statSync(privateFile).mtimeMs + 2 * fileIsReadEveryMs);

/** Takes out of the public keys all but that of who signs. How many those were. */
function takeOut(files: KeyFiles): number {
  const pems = publicPems(files.publicFile);
  const { pem } = publicHalfOf(readFileSync(files.privateFile, 'utf8'));
  if (!pems.includes(pem)) throw new Error(`${files.publicFile} does not hold the key that signs.`);
  if (pems.length > 1) replace(files.publicFile, pem);
  return pems.length - 1;
}

/**
 * Makes a new key that signs. First all learn of its public half, then it signs: nobody meets a token whose key they don't
 * know. The key of before stays among the public ones.
 */
export async function rotateKeys(files: KeyFiles, letAllRead: () => Promise<unknown>): Promise<void> {
  if (othersRunOutAt(files) < new Date()) takeOut(files);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  replace(files.publicFile, [...publicPems(files.publicFile), publicHalfOf(pem).pem].join(''));
  await letAllRead();
  replace(files.privateFile, pem);
}

/** Takes out the public keys that sign no more, once their last token has run out, or `now`. Throws a sentence. */
export function retireKeys(files: KeyFiles, { now = false }: { now?: boolean } = {}): number {
  const free = othersRunOutAt(files);
  if (!now && free > new Date() && publicPems(files.publicFile).length > 1)
    throw new Error(
      `Tokens of the key before are good until ${free.toISOString()}. Come back then; \`retire-keys now\` ends them at once.`,
    );
  return takeOut(files);
}
