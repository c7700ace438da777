import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { type EmbeddedMongo, startEmbeddedMongo } from '@wayquest/embedded-mongo';
import { keyFilesIn } from '@wayquest/platform/process';
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

  /** An installation as `make start` leaves it: its files, and where its store can be reached. */
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

  it('works while Wayquest runs, and on its files while it does not', async () => {
    const running = await start();
    const { username } = await member(running.auth);
    const granted = await admin(['grant', username], { DATA_DIR: directory });
    expect(granted).toEqual({
      code: 0,
      said: `${username} is an admin now. It counts from the next login.\n`,
    });
    expect(await isAdmin(running.auth, username)).toBe(true);

    await stop();
    const revoked = await admin(['revoke', username], { DATA_DIR: directory });
    expect(revoked).toEqual({
      code: 0,
      said: `${username} is no admin any more. It counts from the next login.\n`,
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
    const { code, said } = await admin(['outbox'], { DATA_DIR: directory });
    const lines = said.trimEnd().split('\n');
    expect([code, lines.length]).toEqual([0, serviceNames.length]);
    expect(lines).toContain('users  0  -');
    const [, count, since] = lines.find((line) => line.startsWith('auth'))?.split('  ') ?? [];
    // That somebody is an admin, that their tokens count no more, and what auth wants to know.
    expect(count).toBe('3');
    const moments = [before, since, new Date().toISOString()];
    expect(moments).toEqual(moments.toSorted());

    const again = await start();
    await again.auth.settle(10_000);
    const after = await admin(['outbox'], { DATA_DIR: directory });
    expect(after.said).toContain('auth  0  -\n');
  });

  it.each(['grant', 'sessions', 'end-sessions'])('reports an unknown username to %s', async (action) => {
    const { url } = await start();
    const answer = await admin([action, 'nobody-here'], { MONGO_URL: url, DATA_DIR: '/nowhere' });
    expect(answer).toEqual({ code: 1, said: 'There is nobody named nobody-here.\n' });
  });

  it('lists the services', async () => {
    const answer = await admin(['replicas', 'chats'], { DATA_DIR: directory });
    expect(answer).toMatchObject({
      code: 2,
      said: expect.stringMatching(/^There is no service chats. There are auth, /),
    });
  });

  it('says that there is no data', async () => {
    const answer = await admin(['grant', 'somebody'], { DATA_DIR: directory });
    expect(answer).toMatchObject({ code: 1, said: expect.stringMatching(/^There is no data in /) });
  });

  it('retires keys in the files of the services’ settings', async () => {
    const { privateFile, publicFile } = keyFilesIn(directory);
    const { privateKey, publicKey } = testKeys();
    await writeFile(privateFile, privateKey);
    await writeFile(publicFile, generateKeys().publicKey + publicKey);
    const env = { JWT_PRIVATE_KEY_FILE: privateFile, JWT_PUBLIC_KEY_FILE: publicFile };
    expect(await admin(['retire-keys', 'now'], env)).toEqual({ code: 0, said: '1 key was taken out.\n' });
    expect(await readFile(publicFile, 'utf8')).toBe(publicKey);
  });

  it('prints its usage', async () => {
    const answer = await admin(['promote', 'somebody'], { DATA_DIR: directory });
    expect(answer).toMatchObject({
      code: 2,
      said: expect.stringMatching(/^npm run admin -- grant <username>/),
    });
  });
});
