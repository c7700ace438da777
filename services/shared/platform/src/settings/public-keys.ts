import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';

/** The id of a key (`kid`): its thumbprint (RFC 7638). */
function thumbprintOf(key: KeyObject): string {
  const { e, kty, n } = key.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
}

/** Returns the public key of a private or public key, with its `kid`. */
export function publicKeyOf(pem: string): { kid: string; key: KeyObject; pem: string } {
  const key = createPublicKey(pem);
  return { kid: thumbprintOf(key), key, pem: key.export({ type: 'spki', format: 'pem' }).toString() };
}

const minModulusBits = 2_048;

/** Parses public keys in PEM, by `kid`, in order. Throws if there is none, or one is not RSA of 2048 bits or more. */
export function publicKeysOf(text: string): Map<string, KeyObject> {
  const blocks = text.match(/-----BEGIN (\w+ )?PUBLIC KEY-----[^-]+-----END (\w+ )?PUBLIC KEY-----/g) ?? [];
  const keys = blocks.map(publicKeyOf);
  for (const { key } of keys)
    if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < minModulusBits)
      throw new TypeError('a public key is not an RSA key of at least 2048 bits');
  if (!keys.length) throw new TypeError('no public key found');
  return new Map(keys.map(({ kid, key }) => [kid, key]));
}

/** Files of the generated keys of an installation in one process. */
export const keyFilesIn = (directory: string): { privateFile: string; publicFile: string } => ({
  privateFile: join(directory, 'jwt-private-key.pem'),
  publicFile: join(directory, 'jwt-public-keys.pem'),
});
