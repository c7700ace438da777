import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeySetting } from '@wayquest/auth';
import { createClient } from '@wayquest/contracts';
import { keyFilesIn, serviceSettings, watchFile } from '@wayquest/platform/settings';
import { createLogger } from '@wayquest/platform/telemetry';
import { generateKeys } from '@wayquest/testing';
import {
  keys,
  member,
  newName,
  password,
  startAuthForTest,
} from '../../../services/auth/test/auth-service.ts';
import { retireKeys, rotateKeys } from '../src/token-keys.ts';

const day = 24 * 60 * 60 * 1_000;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wayquest-keys-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** Creates an installation with one key that is in use. */
async function start() {
  const files = keyFilesIn(directory);
  await writeFile(files.privateFile, keys.privateKey, { mode: 0o400 });
  await writeFile(files.publicFile, keys.publicKey);
  await grow(files.privateFile, 30);
  const follow = { logger: createLogger({ name: 'test', level: 'silent' }), everyMs: 0 };
  const auth = await startAuthForTest({
    privateKey: watchFile(files.privateFile, privateKeySetting, follow),
    publicKey: watchFile(files.publicFile, serviceSettings.shape.JWT_PUBLIC_KEY, follow),
  });
  const { username, token } = await member(auth);
  const logIn = async () => (await auth.client.login({ body: { username, password } })).token;
  const statusOf = async (candidate: string) =>
    createClient({ baseUrl: auth.url, token: () => candidate })
      .getAccount()
      .then(
        () => 200,
        ({ status }) => status,
      );
  const shown = async () => (await auth.client.getPublicKeys()).keys.map(({ kid }) => kid);
  return { auth, files, username, token, logIn, statusOf, shown };
}

/** Sets the modification time of a file some days back. */
const grow = (file: string, days: number) => {
  const then = new Date(Date.now() - days * day);
  return utimes(file, then, then);
};

const kidOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

test('a new key signs once all services know it, tokens of the previous key stay valid until they expire', async () => {
  const { files, token: old, logIn, statusOf, shown } = await start();
  await rotateKeys(files, async () => {
    expect(await shown()).toHaveLength(2);
    const meanwhile = await logIn();
    expect(kidOf(meanwhile)).toBe(kidOf(old));
    expect(await statusOf(meanwhile)).toBe(200);
  });
  const young = await logIn();
  expect(await shown()).toEqual([kidOf(old), kidOf(young)]);
  expect([await statusOf(old), await statusOf(young)]).toEqual([200, 200]);
  expect((await stat(files.privateFile)).mode & 0o777).toBe(0o400);

  expect(() => retireKeys(files)).toThrow('Tokens of the previous key are valid until');
  expect(await statusOf(old)).toBe(200);
  await grow(files.privateFile, 15);
  expect(retireKeys(files)).toBe(1);
  expect(await shown()).toEqual([kidOf(young)]);
  expect([await statusOf(old), await statusOf(young)]).toEqual([401, 200]);
});

test('a rotation removes expired keys, and a leaked key can be removed immediately', async () => {
  const { files, token: old, logIn, shown } = await start();
  await rotateKeys(files, async () => {});
  const second = await logIn();
  await rotateKeys(files, async () => {});
  const third = await logIn();
  expect(await shown()).toEqual([old, second, third].map(kidOf));
  await grow(files.privateFile, 15);
  await rotateKeys(files, async () => {});
  expect(await shown()).toEqual([kidOf(third), kidOf(await logIn())]);
  expect(retireKeys(files, { now: true })).toBe(1);
});

test('a key that is not among the public ones is rejected for signing', async () => {
  const { files, token: old, logIn, statusOf } = await start();
  await rm(files.privateFile);
  await writeFile(files.privateFile, generateKeys().privateKey);
  const token = await logIn();
  expect(kidOf(token)).toBe(kidOf(old));
  expect(await statusOf(token)).toBe(200);
  expect(() => retireKeys(files, { now: true })).toThrow(
    'does not contain the public key of the signing key',
  );
  expect(await readFile(files.publicFile, 'utf8')).toBe(keys.publicKey);
});

test('a username that was given up stays reserved after a rotation (code 1)', async () => {
  const { auth, files, username, token, logIn } = await start();
  await auth.client.changeUsername({ body: { username: newName() } }, { token });
  await rotateKeys(files, async () => {});
  await expect(auth.client.signup({ body: { username, password } })).rejects.toMatchObject({
    problem: { code: 'username-taken' },
  });
  await expect(logIn()).rejects.toMatchObject({ status: 401 });
});
