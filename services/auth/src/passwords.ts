import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
import { Problem } from '@wayquest/platform/core';
import pLimit from 'p-limit';

export interface PasswordLimits {
  /** How many are hashed at the same time: a core is left to the event loop, and a thread of Node's four to others. */
  concurrency: number;
  /** How many may wait; more are sent away at once. */
  queue: number;
  /** What a hash takes, in KiB. */
  memoryCost: number;
}

export const defaultPasswordLimits: PasswordLimits = {
  concurrency: Math.min(3, Math.max(1, availableParallelism() - 1)),
  queue: 400,
  memoryCost: 19 * 1_024,
};

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time when there is no hash to compare with. */
  matches(passwordHash: string | null | undefined, password: string): Promise<boolean>;
}

/**
 * A password as it is hashed: keyboards and systems write one character in several ways (composed or not, full width or
 * half), and who types the same must get in (NIST SP 800-63B, section 5.1.1.2, which asks for NFKC or NFKD).
 */
export const normalizePassword = (password: string): string => password.normalize('NFKC');

/** Hashes passwords, a few at a time. */
export function createPasswords({ concurrency, queue, memoryCost }: PasswordLimits): Passwords {
  // Of argon2id, the library's default kind.
  const cost: Options = { memoryCost, timeCost: 2, parallelism: 1 };
  const limited = pLimit(concurrency);
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (limited.pendingCount >= queue) throw new Problem('service-unavailable', { retryAfterSeconds: 2 });
    return limited(work);
  };
  // Nobody's password: 256 random bits.
  const nobodys = hash(randomBytes(32), cost);

  return {
    hash: async (password) => inTurn(() => hash(normalizePassword(password), cost)),
    async matches(passwordHash, password) {
      const against = passwordHash ?? (await nobodys);
      const normalized = normalizePassword(password);
      if (await inTurn(() => verify(against, normalized))) return true;
      // Hashes from before passwords were normalized are of what was typed.
      return normalized !== password && inTurn(() => verify(against, password));
    },
  };
}
