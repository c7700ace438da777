import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
import { limits, Problem } from '@wayquest/platform/core';
import { dictionary } from '@zxcvbn-ts/language-common';
import pLimit from 'p-limit';
import { usernameKey } from './account.model.ts';

export interface PasswordLimits {
  /** Number of concurrent hashes: one core is left to the event loop, and one of Node's four threads to others. */
  concurrency: number;
  /** Maximum length of the queue; further calls are rejected immediately. */
  queue: number;
  /** Memory of a hash, in KiB. */
  memoryCost: number;
}

export const defaultPasswordLimits: PasswordLimits = {
  concurrency: Math.min(3, Math.max(1, availableParallelism() - 1)),
  queue: limits.passwordQueue.max,
  memoryCost: 19 * 1_024,
};

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time without a hash to compare with. */
  matches(passwordHash: string | null | undefined, password: string): Promise<boolean>;
}

/**
 * Normalizes a password for hashing: keyboards and systems encode a character in several ways (composed or not, full
 * width or half), all of which must match (NIST SP 800-63B, section 5.1.1.2, requires NFKC or NFKD).
 */
const normalizePassword = (password: string): string => password.normalize('NFKC');

/** Hashes passwords with limited concurrency. */
export function createPasswords({ concurrency, queue, memoryCost }: PasswordLimits): Passwords {
  // The type is argon2id, the library's default.
  const cost: Options = { memoryCost, timeCost: 2, parallelism: 1 };
  const hashQueue = pLimit(concurrency);
  const runQueued = <T>(work: () => Promise<T>): Promise<T> => {
    if (hashQueue.pendingCount >= queue) throw new Problem('service-unavailable', { retryAfterSeconds: 2 });
    return hashQueue(work);
  };
  // A hash that no password matches: of 256 random bits.
  const dummyHash = hash(randomBytes(32), cost);

  return {
    hash: async (password) => runQueued(() => hash(normalizePassword(password), cost)),
    async matches(passwordHash, password) {
      const hashToCompare = passwordHash ?? (await dummyHash);
      const normalized = normalizePassword(password);
      if (await runQueued(() => verify(hashToCompare, normalized))) return true;
      // Hashes from before normalization are of the password as typed.
      return normalized !== password && runQueued(() => verify(hashToCompare, password));
    },
  };
}

/** The most common passwords of published ones. */
const commonPasswords = new Set(dictionary['passwords-common']);

/**
 * Rejects passwords that attackers try first (NIST SP 800-63B, 5.1.1.2). Throws `invalid-request` for the given field.
 */
export function assertPasswordAllowed(
  password: string,
  { username, field }: { username: string; field: string },
): void {
  const key = normalizePassword(password).toLowerCase();
  const reason =
    key === usernameKey(username)
      ? 'must not be the username'
      : commonPasswords.has(key)
        ? 'is too common; please choose another'
        : undefined;
  if (reason) throw new Problem('invalid-request', { errors: [{ field, reason }] });
}
