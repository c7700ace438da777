import { createHmac, createSign, randomUUID } from 'node:crypto';
import type { TokenClaims } from '@wayquest/contracts';
import { publicKeyOf } from '@wayquest/platform/settings';
import { createTokenGuard, type TokenGuard, tokenOf } from '@wayquest/platform/tokens';
import { createRevocations, type RevocationData } from '@wayquest/platform/tokens/revocations';
import { connectTestStore, dropDatabases, generateKeys, storeUrl, testKeys } from '@wayquest/testing';
import jwt from 'jsonwebtoken';
import type { Connection } from 'mongoose';

const database = `test_guard_${process.pid}_${Date.now()}`;
const { privateKey, publicKey } = testKeys();
const now = () => Date.now() / 1_000;

let connection: Connection;
let guard: TokenGuard;
let revoke: (data: Omit<RevocationData, 'expiresAt'>) => Promise<void>;

beforeAll(async () => {
  connection = await connectTestStore(database);
  const revocations = createRevocations(connection);
  guard = createTokenGuard({ publicKey, revocations });
  revoke = async (data) => {
    await revocations.add({ ...data, expiresAt: new Date(Date.now() + 60_000).toISOString() });
    guard.invalidate(data);
  };
});
afterAll(async () => {
  await connection.close();
  await dropDatabases(storeUrl(), [database]);
});

const claimsOf = (
  changes: Partial<Omit<TokenClaims, 'sub' | 'exp'> & { sub: string; exp: number }> = {},
) => ({
  sub: '7',
  username: 'ada',
  admin: false,
  jti: randomUUID(),
  iat: now(),
  exp: Math.floor(now()) + 60,
  ...changes,
});

const sign = (claims: object, key = privateKey, algorithm: jwt.Algorithm = 'RS256') =>
  jwt.sign(claims, key, { algorithm });

test('returns the caller of a valid token', async () => {
  const token = sign(claimsOf({ admin: true }));
  expect(await guard.verify(token)).toMatchObject({ id: 7, username: 'ada', admin: true, token });
});

/** Signs a token with one key under the id of any key. */
const named = (kid: unknown, key = privateKey) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'RS256', typ: 'JWT', kid })}.${part(claimsOf())}`;
  return `${content}.${createSign('RSA-SHA256').update(content).sign(key, 'base64url')}`;
};

const next = generateKeys();
const [kid, nextKid] = [publicKey, next.publicKey].map((pem) => publicKeyOf(pem).kid);

test.each([
  ['of the key that it names', named(kid), true],
  ['of the other key that it names', named(nextKid, next.privateKey), true],
  ['of before keys had names', sign(claimsOf()), true],
  ['of one key that names the other', named(nextKid), false],
  ['of a key that nobody knows', named('unknown'), false],
  ['whose key has an odd name', named({ toString: 1 }), false],
  ['without a name of the newer key', sign(claimsOf(), next.privateKey), false],
])('of several keys: a token %s', async (_, token, isGood) => {
  const both = createTokenGuard({
    publicKey: publicKey + next.publicKey,
    revocations: { covers: async () => false, suspendedUntil: async () => undefined },
  });
  const verified = both.verify(token);
  if (isGood) expect(await verified).toMatchObject({ id: 7 });
  else await expect(verified).rejects.toMatchObject({ code: 'invalid-token' });
});

test('a verified token of a key that was removed is no longer accepted', async () => {
  let publicKeys = publicKey + next.publicKey;
  const changing = createTokenGuard({
    publicKey: () => publicKeys,
    revocations: { covers: async () => false, suspendedUntil: async () => undefined },
  });
  const token = named(nextKid, next.privateKey);
  expect(await changing.verify(token)).toMatchObject({ id: 7 });
  publicKeys = publicKey;
  await expect(changing.verify(token)).rejects.toMatchObject({ code: 'invalid-token' });
});

const withoutExpiry = () => {
  const { exp: _, ...claims } = claimsOf();
  return sign(claims);
};

/** A token with the algorithm `none` and without a signature. */
const unsigned = () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claimsOf())}.`;
};

/** A token signed by HMAC with the public key as the secret. */
const confused = () => {
  const [header, payload] = [{ alg: 'HS256', typ: 'JWT' }, claimsOf()].map((value) =>
    Buffer.from(JSON.stringify(value)).toString('base64url'),
  );
  const signature = createHmac('sha256', publicKey).update(`${header}.${payload}`).digest('base64url');
  return `${header}.${payload}.${signature}`;
};

test.each([
  ['something else', () => 'no token at all'],
  ['an expired one', () => sign(claimsOf({ exp: Math.floor(now()) - 1 }))],
  ['one of another key', () => sign(claimsOf(), generateKeys().privateKey)],
  ['one of another algorithm with the same key', () => sign(claimsOf(), privateKey, 'RS512')],
  ['an unsigned one', unsigned],
  ['one that takes the public key for a secret', confused],
  ['one without an expiry', withoutExpiry],
  [
    'one from the day after tomorrow',
    () => sign(claimsOf({ iat: now() + 48 * 3_600, exp: Math.floor(now()) + 72 * 3_600 })),
  ],
  ['one of nobody', () => sign(claimsOf({ sub: 'ada' }))],
])('rejects %s', async (_, token) => {
  await expect(guard.verify(token())).rejects.toMatchObject({ code: 'invalid-token' });
});

test('rejects a revoked token, and no other of the same user', async () => {
  const [revoked, valid] = [claimsOf(), claimsOf()];
  await guard.verify(sign(revoked));
  await revoke({ userId: 7, tokenId: revoked.jti, issuedBefore: null });
  await expect(guard.verify(sign(revoked))).rejects.toMatchObject({ code: 'invalid-token' });
  expect(await guard.verify(sign(valid))).toMatchObject({ id: 7 });
});

test('accepts a revoked or just expired token for a job that was started with it, and no forged one (Q13)', async () => {
  const revoked = claimsOf();
  await revoke({ userId: 7, tokenId: revoked.jti, issuedBefore: null });
  expect(guard.verifyJob(sign(revoked))).toMatchObject({ id: 7 });
  await expect(guard.verify(sign(revoked))).rejects.toMatchObject({ code: 'invalid-token' });
  const hour = 3_600;
  expect(guard.verifyJob(sign(claimsOf({ exp: Math.floor(now()) - hour })))).toMatchObject({ id: 7 });
  for (const token of [
    sign(claimsOf({ exp: Math.floor(now()) - 25 * hour })),
    ...[sign(claimsOf(), generateKeys().privateKey), unsigned(), confused(), withoutExpiry()],
  ])
    expect(() => guard.verifyJob(token)).toThrow(expect.objectContaining({ code: 'invalid-token' }));
});

test('rejects a user’s tokens issued before a time, and none issued later', async () => {
  const moment = Date.now();
  const older = claimsOf({ sub: '8', iat: moment / 1_000 - 1 });
  const newer = claimsOf({ sub: '8', iat: moment / 1_000 });
  await revoke({ userId: 8, tokenId: null, issuedBefore: new Date(moment).toISOString() });
  await expect(guard.verify(sign(older))).rejects.toMatchObject({ code: 'invalid-token' });
  expect(await guard.verify(sign(newer))).toMatchObject({ id: 8 });
});

/** A guard without revocations, and the tokens that it looked up in the store. */
function watchedGuard() {
  const lookedUp: string[] = [];
  const covers = async ({ jti }: TokenClaims) => {
    lookedUp.push(jti);
    return false;
  };
  return {
    lookedUp,
    guard: createTokenGuard({ publicKey, revocations: { covers, suspendedUntil: async () => undefined } }),
  };
}

test.each([
  ['one token', (jti: string) => jti, ['mine']],
  ['all of a person', () => null, ['mine', 'mine too']],
])('after a revocation of %s verifies nothing else again', async (_, revoked, again) => {
  const { lookedUp, guard: watched } = watchedGuard();
  const tokens = [
    sign(claimsOf({ jti: 'mine' })),
    sign(claimsOf({ jti: 'mine too' })),
    sign(claimsOf({ sub: '8', jti: 'theirs' })),
  ];
  for (const token of [...tokens, ...tokens]) await watched.verify(token);
  expect(lookedUp.splice(0)).toEqual(['mine', 'mine too', 'theirs']);
  watched.invalidate({ userId: 7, tokenId: revoked('mine') });
  for (const token of [...tokens, ...tokens]) await watched.verify(token);
  expect(lookedUp).toEqual(again);
});

test.each([
  ['abc', 'abc'],
  ['Bearer abc', 'abc'],
  ['bearer  abc ', 'abc'],
  ['', undefined],
  ['Bearer ', undefined],
  [undefined, undefined],
])('the token of the header %j is %j', (header, token) => {
  expect(tokenOf(header)).toBe(token);
});
