import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  generateKeyPairSync,
  randomUUID,
} from 'node:crypto';
import { createTokenGuard } from '@wayquest/platform/tokens';
import { claimsOf, keys, newName, password, type RunningAuth, startAuth } from './auth-service.ts';

let auth: RunningAuth;
let username: string;
let token: string;
beforeAll(async () => {
  auth = await startAuth();
  username = newName();
  ({ token } = await auth.client.signup({ body: { username, password } }));
});
afterAll(() => auth.stop());

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const contentOf = (header: object, claims: object) => `${base64url(header)}.${base64url(claims)}`;

const rs256 = (claims: object, privateKey = keys.privateKey) => {
  const content = contentOf({ alg: 'RS256', typ: 'JWT' }, claims);
  return `${content}.${createSign('RSA-SHA256').update(content).sign(privateKey, 'base64url')}`;
};

/** Returns the status of a call that requires a token. */
async function statusFor(candidate: string) {
  const response = await fetch(`${auth.url}/auth/username`, {
    method: 'PUT',
    headers: { authorization: candidate, 'content-type': 'application/json' },
    body: JSON.stringify({ username }),
  });
  const { code } = await response.json();
  return response.status === 200 ? 200 : `${response.status} ${code}`;
}

const valid = () => ({ ...claimsOf(token), jti: randomUUID() });
const other = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const hs256 = (claims: object, key: string) => {
  const content = contentOf({ alg: 'HS256', typ: 'JWT' }, claims);
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
};

it('accepts a token with and without Bearer', async () => {
  expect(await statusFor(token)).toBe(200);
  expect(await statusFor(`Bearer ${token}`)).toBe(200);
});

it('accepts a correctly signed token, so that the rejections below are meaningful', async () => {
  expect(await statusFor(rs256(valid()))).toBe(200);
});

it.each<[string, () => string]>([
  ['signed with another key', () => rs256(valid(), other.privateKey)],
  ['signed by HS256 with the public key as its secret', () => hs256(valid(), keys.publicKey)],
  ['signed by HS256 with the trimmed public key', () => hs256(valid(), keys.publicKey.trim())],
  ['without a signature: alg none', () => `${contentOf({ alg: 'none', typ: 'JWT' }, valid())}.`],
  ['with its signature cut off', () => token.replace(/[^.]*$/, '')],
  [
    'whose claims were changed',
    () => {
      const [header, , signature] = token.split('.');
      return `${header}.${base64url({ ...valid(), admin: true })}.${signature}`;
    },
  ],
  ['that has run out', () => rs256({ ...valid(), exp: Math.floor(Date.now() / 1_000) - 1 })],
  ['without an id', () => rs256({ ...valid(), jti: undefined })],
  ['for nobody', () => rs256({ ...valid(), sub: 'nobody' })],
  ['for somebody who is not there', () => rs256({ ...valid(), sub: '999999999' })],
  ['that is no token', () => 'rubbish'],
])('rejects a token %s', async (_, make) => {
  expect(await statusFor(make())).toBe('401 invalid-token');
});

const headerOf = (candidate: string): { alg: string; kid: string } =>
  JSON.parse(Buffer.from(candidate.split('.')[0] ?? '', 'base64url').toString());

it('publishes the public keys by which a token can be verified, and no private part', async () => {
  const response = await fetch(`${auth.url}/.well-known/jwks.json`);
  expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  const text = await response.text();
  const { keys: shown } = JSON.parse(text);
  expect(shown.map((key: object) => Object.keys(key).toSorted())).toEqual([
    ['alg', 'e', 'kid', 'kty', 'n', 'use'],
  ]);
  const secrets = createPrivateKey(keys.privateKey).export({ format: 'jwk' });
  for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const) {
    expect(text).not.toContain(`"${member}"`);
    expect(text).not.toContain(secrets[member]);
  }
  const [{ kid, alg }] = shown;
  expect(headerOf(token)).toMatchObject({ kid, alg });
  const [header, claims, signature = ''] = token.split('.');
  const verify = createVerify('RSA-SHA256').update(`${header}.${claims}`);
  const key = createPublicKey({ key: shown[0], format: 'jwk' });
  expect(verify.verify(key, Buffer.from(signature, 'base64url'))).toBe(true);
});

it('does not cache a token that was verified during its revocation', async () => {
  let revoked = false;
  let answer = (_covered: boolean) => {};
  const guard = createTokenGuard({
    publicKey: keys.publicKey,
    revocations: {
      covers: () => (revoked ? Promise.resolve(true) : new Promise((resolve) => (answer = resolve))),
      suspendedUntil: async () => undefined,
    },
  });
  const verifying = guard.verify(token);
  revoked = true;
  const { sub, jti } = claimsOf(token);
  guard.invalidate({ userId: Number(sub), tokenId: jti });
  answer(false);
  await verifying;
  await expect(guard.verify(token)).rejects.toMatchObject({ code: 'invalid-token' });
});
