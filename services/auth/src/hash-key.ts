import { createHmac } from 'node:crypto';
import { currentText, type DynamicText } from '@wayquest/platform/settings';
import { createStoredSecret, type Migration } from '@wayquest/platform/store';
import type { Connection } from 'mongoose';

/** Keys of the hashes in the store and of the seals of cookies, one for each purpose. */
export interface HashKey {
  /** Creates the secret in a new store. */
  ensure(): Promise<void>;
  /** Reads the secret of a store that a service uses. Returns whether there is one. */
  load(): Promise<boolean>;
  /** Available once the service is ready. */
  keyFor(purpose: string): Buffer;
  /**
   * Up to 0.2.0 these keys were derived from the key that signs tokens, by HKDF (RFC 5869): replacing it freed all reserved
   * usernames and forgot all known networks. HKDF has two steps, of which only the second depends on the purpose. So the
   * result of the first becomes the secret of an existing store, and whatever was hashed with the current key stays valid.
   */
  fromSigningKey(signingKey: DynamicText): Migration;
}

/** Creates the keys that do not change when the key that signs tokens is rotated. */
export function createHashKey(connection: Connection): HashKey {
  const secret = createStoredSecret(connection, 'hashes');
  return {
    ensure: () => secret.ensure(),
    load: secret.load,
    // The second step of HKDF, of one block.
    keyFor: (purpose) =>
      createHmac('sha256', Buffer.from(secret.text(), 'base64url')).update(`${purpose}\u0001`).digest(),
    fromSigningKey: (signingKey) => ({
      name: '003-hash-key',
      run: () => secret.ensure(createHmac('sha256', '').update(currentText(signingKey)).digest('base64url')),
    }),
  };
}
