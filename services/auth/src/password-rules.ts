import { Problem } from '@wayquest/platform/core';
import { dictionary } from '@zxcvbn-ts/language-common';
import { usernameKey } from './account.model.ts';
import { normalizePassword } from './passwords.ts';

const minLength = 8;

/** The most common passwords of published ones, as far as they have the minimum length. */
const commonPasswords = new Set(dictionary['passwords-common'].filter((word) => word.length >= minLength));

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
