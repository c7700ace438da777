import { createHmac, hkdfSync } from 'node:crypto';
import { createClient } from '@wayquest/contracts';
import { afterTest, generateKeys, startFakeGoogle } from '@wayquest/testing';
import type { AuthDeps } from '../src/index.ts';
import { limits, login, minute } from './attempts.ts';
import { keys, member, newName, password, type RunningAuth, startAuthForTest } from './auth-service.ts';

const home = '198.51.100.7';
const abroad = '203.0.113.9';

/** The key that signs tokens, as one that is rotated while services run. */
function signingKey() {
  let [privateKey, publicKey] = [keys.privateKey, keys.publicKey];
  return {
    options: { privateKey: () => privateKey, publicKey: () => publicKey },
    rotate() {
      const next = generateKeys();
      [privateKey, publicKey] = [next.privateKey, publicKey + next.publicKey];
    },
  };
}

const start = (options: Partial<AuthDeps> & { keepData?: boolean }) =>
  startAuthForTest({ ...limits({ account: minute(1) }), ...options });

/** Somebody who gave up a username, and has logged in at home. */
async function renamed(auth: RunningAuth) {
  const { username: former, token, id } = await member(auth);
  const username = newName();
  await auth.client.changeUsername({ body: { username } }, { token });
  expect(await login(auth, username, password, home)).toBe(200);
  return { former, username, token, id };
}

async function expectRemembered(
  auth: RunningAuth,
  { former, username }: { former: string; username: string },
) {
  await expect(auth.client.signup({ body: { username: former, password } })).rejects.toMatchObject({
    problem: { code: 'username-taken' },
  });
  // The first one may be the last that is allowed there.
  await login(auth, username, 'wrong', abroad);
  expect(await login(auth, username, 'wrong', abroad)).toBe(429);
  expect(await login(auth, username, password, home)).toBe(200);
}

it('reserves usernames and knows networks after the key that signs tokens was rotated (code 1)', async () => {
  const key = signingKey();
  const auth = await start(key.options);
  const person = await renamed(auth);
  key.rotate();
  await expectRemembered(auth, person);
});

it('signs tokens by a new key as soon as its public key is known', async () => {
  const key = signingKey();
  const auth = await start(key.options);
  const keyOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
  const before = await member(auth);
  key.rotate();
  const after = await member(auth);
  expect(keyOf(after.token)).not.toBe(keyOf(before.token));
  // The token of the former key stays valid.
  for (const { token } of [before, after]) expect(await auth.client.getAccount({}, { token })).toBeDefined();
});

it('shares one key between instances that start at the same time in a new store (code 1)', async () => {
  const first = await start({ keepData: true });
  await first.store.dropDatabase();
  await first.stop();
  const { databasePrefix } = first;
  const [one, other] = await Promise.all([
    start({ databasePrefix, keepData: true }),
    start({ databasePrefix }),
  ]);
  await expectRemembered(other, await renamed(one));
});

it('keeps what the previous version hashed, across the upgrade and a later rotation (code 1)', async () => {
  const key = signingKey();
  const before = await start({ ...key.options, keepData: true });
  const { databasePrefix, store } = before;
  const person = await renamed(before);

  // The previous version had no key of its own.
  const formerHash = (purpose: string, text: string) =>
    createHmac('sha256', Buffer.from(hkdfSync('sha256', keys.privateKey, '', purpose, 32)))
      .update(text)
      .digest('base64url');
  await store.collection('keys').drop();
  await store.collection<{ _id: string }>('migrations').deleteOne({ _id: '003-hash-key' });
  const replaceWith = async (collection: string, _id: string) => {
    const stored = await store.collection<{ _id: string }>(collection).findOneAndDelete({});
    await store.collection<{ _id: string }>(collection).insertOne({ ...stored, _id });
  };
  await replaceWith('freed_usernames', formerHash('wayquest freed usernames', person.former));
  await replaceWith('known_networks', formerHash('wayquest known networks', `${person.id} ${home}`));
  await before.stop();

  const after = await start({ ...key.options, databasePrefix });
  await expectRemembered(after, person);
  key.rotate();
  await expectRemembered(after, person);
});

it('finishes a sign-in with Google that a rotation interrupts (code 1)', async () => {
  const google = await startFakeGoogle();
  afterTest(() => google.stop());
  const key = signingKey();
  const auth = await startAuthForTest({ ...key.options, google: google.config });
  const go = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } });
  const cookieOf = (response: Response) => response.headers.getSetCookie().at(-1)?.split(';')[0] ?? '';
  const locationOf = (response: Response) => response.headers.get('location') ?? '';

  const started = await go(`${auth.url}/api/googleOauth`);
  google.person = { sub: newName(), name: 'Ada', email: 'ada@example.com' };
  const consent = await go(locationOf(started));
  key.rotate();
  const returned = await go(locationOf(consent), cookieOf(started));
  const code = new URLSearchParams(locationOf(returned).split('#')[1]).get('code') ?? '';
  expect(code).not.toBe('');
  key.rotate();
  const { token } = await createClient({
    baseUrl: auth.url,
    headers: () => ({ cookie: cookieOf(returned) }),
  }).exchangeLoginCode({ body: { code } });
  expect(token).not.toBe('');
});
