import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What an authenticator signs; tests override what an attacker could. */
export interface AuthenticatorInput {
  /** Origin of the page. */
  origin: string;
  /** Id of the relying party; by default the origin's host. */
  rpId?: string;
  challenge: string;
  /** User verification, by a PIN or a fingerprint. */
  isVerified?: boolean;
  /** Signature counter; by default it increases. */
  counter?: number;
  /** User handle; by default that of the passkey's owner. */
  userHandle?: string;
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 };

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url');

/** The head of a CBOR item (RFC 8949). */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

/** Encodes the part of CBOR that authenticators use. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => {
    if (typeof item === 'number' || typeof item === 'string') return [cbor(key), cbor(item)];
    if (Buffer.isBuffer(item) || item instanceof Map) return [cbor(key), cbor(item)];
    throw new TypeError(`${String(key)} is nothing that an authenticator says`);
  });
  return Buffer.concat([head(5, value.size), ...entries]);
}

/**
 * An authenticator with one passkey (ES256, without attestation), which conforms to WebAuthn unless a test overrides
 * something.
 */
export interface Authenticator {
  id: string;
  /** Creates the passkey for the user in the page's options. */
  create(input: AuthenticatorInput & { user: { id: string } }): {
    response: { clientDataJSON: string; attestationObject: string; transports: string[] };
    id: string;
    rawId: string;
    type: 'public-key';
  };
  /** Signs the page's challenge. */
  get(input: AuthenticatorInput): {
    response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle: string };
    id: string;
    rawId: string;
    type: 'public-key';
  };
}

export function createAuthenticator(): Authenticator {
  const id = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coseKey = cbor(
    new Map<number, number | Buffer>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      ...([
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ] as const),
    ]),
  );
  let counter = 0;
  let owner = base64url('nobody');

  const authenticatorDataFor = (
    { origin, rpId, isVerified = true, counter: counterOverride }: AuthenticatorInput,
    attested?: Buffer,
  ) => {
    counter = counterOverride ?? counter + 1;
    const counterBytes = Buffer.alloc(4);
    counterBytes.writeUInt32BE(counter);
    const flagBits = flags.present | (isVerified ? flags.verified : 0) | (attested ? flags.attested : 0);
    return Buffer.concat([
      sha256(rpId ?? new URL(origin).hostname),
      ...[Buffer.from([flagBits]), counterBytes],
      ...(attested ? [attested] : []),
    ]);
  };
  const clientData = (type: 'webauthn.create' | 'webauthn.get', { challenge, origin }: AuthenticatorInput) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const };

  return {
    id: credential.id,

    create(input: AuthenticatorInput & { user: { id: string } }) {
      owner = input.user.id;
      const idLength = Buffer.from([id.length >> 8, id.length & 255]);
      const authData = authenticatorDataFor(input, Buffer.concat([Buffer.alloc(16), idLength, id, coseKey]));
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', input)),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal'],
        },
      };
    },

    get(input: AuthenticatorInput) {
      const authenticatorData = authenticatorDataFor(input);
      const client = clientData('webauthn.get', input);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(
            sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey),
          ),
          userHandle: input.userHandle ?? owner,
        },
      };
    },
  };
}
