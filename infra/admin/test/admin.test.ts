import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EmbeddedMongo, startEmbeddedMongo } from '@wayquest/embedded-mongo';
import { isAdmin, member, type RunningAuth, startAuth } from '../../../services/auth/test/auth-service.ts';

const script = fileURLToPath(new URL('../src/admin.ts', import.meta.url));

/** Runs the script in a process of its own, as `npm run admin` does. */
const admin = (args: string[], env: NodeJS.ProcessEnv) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const node = ['--import', 'tsx', '--conditions=@wayquest/source', '--no-warnings', script, ...args];
    const { PATH, HOME } = process.env;
    execFile(process.execPath, node, { env: { PATH, HOME, ...env } }, (error, out, problems) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + problems }),
    );
  });

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

  it('works while Wayquest runs and, on its files, while it does not', async () => {
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

  it('takes MONGO_URL and says when nobody has the name', async () => {
    const { url } = await start();
    const answer = await admin(['grant', 'nobody-here'], { MONGO_URL: url, DATA_DIR: '/nowhere' });
    expect(answer).toEqual({ code: 1, said: 'There is nobody named nobody-here.\n' });
  });

  it('says when there is no data', async () => {
    const answer = await admin(['grant', 'somebody'], { DATA_DIR: directory });
    expect(answer).toMatchObject({ code: 1, said: expect.stringMatching(/^There is no data in /) });
  });

  it('shows how it is used', async () => {
    const answer = await admin(['promote', 'somebody'], { DATA_DIR: directory });
    expect(answer).toMatchObject({
      code: 2,
      said: expect.stringMatching(/^npm run admin -- grant <username>/),
    });
  });
});
