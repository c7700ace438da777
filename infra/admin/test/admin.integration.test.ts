import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { type EmbeddedMongo, startEmbeddedMongo } from '@wayquest/embedded-mongo';
import { keyFilesIn } from '@wayquest/platform/settings';
import { generateKeys, testKeys } from '@wayquest/testing';
import { isAdmin, member, type RunningAuth, startAuth } from '../../../services/auth/test/auth-service.ts';
import { admin } from './admin-process.ts';

describe('npm run admin', () => {
  let directory: string;
  let store: EmbeddedMongo | undefined;
  let auth: RunningAuth | undefined;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'wayquest-admin-'));
  });
  afterEach(async () => {
    await stop();
    await rm(directory, { recursive: true });
  });

  /** Starts an installation with the files of `make start`. */
  const start = async () => {
    store = await startEmbeddedMongo({ directory: join(directory, 'store') });
    await writeFile(join(directory, 'mongo.url'), store.url);
    auth = await startAuth({ mongoUrl: store.url, databasePrefix: 'wayquest', keepData: true });
    return { auth, url: store.url };
  };
  const stop = async () => {
    await auth?.stop();
    await store?.stop();
    auth = store = undefined;
  };

  it('grants and revokes admin rights while Wayquest runs and while it is stopped', async () => {
    const running = await start();
    const { username } = await member(running.auth);
    const granted = await admin(['grant', username], { DATA_DIR: directory });
    expect(granted).toEqual({
      code: 0,
      output: `${username} is an admin now. It counts from the next login.\n`,
    });
    expect(await isAdmin(running.auth, username)).toBe(true);

    await stop();
    const revoked = await admin(['revoke', username], { DATA_DIR: directory });
    expect(revoked).toEqual({
      code: 0,
      output: `${username} is no admin any more. It counts from the next login.\n`,
    });

    const again = await start();
    expect(await isAdmin(again.auth, username)).toBe(false);
    await again.auth.settle(10_000);
    expect(again.auth.events).toContainEqual(
      expect.objectContaining({
        name: 'user.account-changed.v1',
        data: expect.objectContaining({ username, admin: false }),
      }),
    );
  });

  it('counts unpublished events until they are published', async () => {
    const running = await start();
    const { username } = await member(running.auth);
    await running.auth.settle();
    await stop();
    const before = new Date().toISOString();
    await admin(['grant', username], { DATA_DIR: directory });
    await admin(['replicas', 'auth'], { DATA_DIR: directory });
    const { code, output } = await admin(['outbox'], { DATA_DIR: directory });
    const lines = output.trimEnd().split('\n');
    expect([code, lines.length]).toEqual([0, serviceNames.length]);
    expect(lines).toContain('users  0  -');
    const [, count, since] = lines.find((line) => line.startsWith('auth'))?.split('  ') ?? [];
    // The changed account, the revocation of its tokens, and the request for a rebuild.
    expect(count).toBe('3');
    const times = [before, since, new Date().toISOString()];
    expect(times).toEqual(times.toSorted());

    const again = await start();
    await again.auth.settle(10_000);
    const after = await admin(['outbox'], { DATA_DIR: directory });
    expect(after.output).toContain('auth  0  -\n');
  });

  it.each(['grant', 'sessions', 'end-sessions'])('reports an unknown username to %s', async (action) => {
    const { url } = await start();
    const result = await admin([action, 'nobody-here'], { MONGO_URL: url, DATA_DIR: '/nowhere' });
    expect(result).toEqual({ code: 1, output: 'There is no user named nobody-here.\n' });
  });

  it('lists the services', async () => {
    const result = await admin(['replicas', 'chats'], { DATA_DIR: directory });
    expect(result).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^There is no service chats. There are auth, /),
    });
  });

  it('reports that there is no data', async () => {
    const result = await admin(['grant', 'somebody'], { DATA_DIR: directory });
    expect(result).toMatchObject({ code: 1, output: expect.stringMatching(/^There is no data in /) });
  });

  it('retires keys in the files of the services’ settings', async () => {
    const { privateFile, publicFile } = keyFilesIn(directory);
    const { privateKey, publicKey } = testKeys();
    await writeFile(privateFile, privateKey);
    await writeFile(publicFile, generateKeys().publicKey + publicKey);
    const env = { JWT_PRIVATE_KEY_FILE: privateFile, JWT_PUBLIC_KEY_FILE: publicFile };
    expect(await admin(['retire-keys', 'now'], env)).toEqual({ code: 0, output: '1 key was taken out.\n' });
    expect(await readFile(publicFile, 'utf8')).toBe(publicKey);
  });

  it('prints its usage', async () => {
    const result = await admin(['promote', 'somebody'], { DATA_DIR: directory });
    expect(result).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^npm run admin -- grant <username>/),
    });
  });
});
