import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RegistrationMode, serviceNames } from '@wayquest/contracts';
import { type EmbeddedMongo, startEmbeddedMongo } from '@wayquest/embedded-mongo';
import { keyFilesIn } from '@wayquest/platform/settings';
import { generateKeys, testKeys } from '@wayquest/testing';
import {
  codeOf,
  isAdmin,
  member,
  password,
  type RunningAuth,
  startAuth,
} from '../../../services/auth/test/auth-service.ts';
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
  const start = async (registration?: RegistrationMode) => {
    store = await startEmbeddedMongo({ directory: join(directory, 'store') });
    await writeFile(join(directory, 'mongo.url'), store.url);
    auth = await startAuth({ mongoUrl: store.url, databasePrefix: 'wayquest', keepData: true, registration });
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

  it.each(['grant', 'sessions', 'end-sessions', 'password-link', 'suspend', 'end-suspension'])(
    'reports an unknown username to %s',
    async (action) => {
      const { url } = await start();
      const result = await admin([action, 'nobody-here'], { MONGO_URL: url, DATA_DIR: '/nowhere' });
      expect(result).toEqual({ code: 1, output: 'There is no user named nobody-here.\n' });
    },
  );

  describe('about who can sign up', () => {
    const env = { PUBLIC_URL: 'https://wayquest.example' };
    const run = (command: string[], more: NodeJS.ProcessEnv = {}) =>
      admin(command, { DATA_DIR: directory, ...more });
    /** The parts of what a pattern describes. */
    const partsOf = (output: string, pattern: RegExp) => {
      expect(output).toMatch(pattern);
      return pattern.exec(output)?.slice(1) ?? [];
    };

    it('makes an invitation for one account and a week, lists it without its code, and revokes it', async () => {
      const { auth: running } = await start();
      const before = Date.now();
      const { code, output } = await run(['invite'], env);
      expect(code).toBe(0);
      const [invitation = '', until = '', id = ''] = partsOf(
        output,
        /^https:\/\/wayquest\.example\/signup\?invitation=([\w-]{22})\nIt can be used once, until (\S+)\. Its id is ([0-9a-f]{32})\.\n$/,
      );
      const times = [before, Date.parse(until) - 7 * 24 * 60 * 60 * 1_000, Date.now()];
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      const listed = { code: 0, output: `${id}  1 of 1 left  until ${until}\n1 not expired\n` };
      expect(await run(['invitations'])).toEqual(listed);
      expect(listed.output).not.toContain(invitation);

      expect(await run(['revoke-invitation', id])).toEqual({
        code: 0,
        output: 'The invitation is invalid now. Accounts that were created with it stay.\n',
      });
      expect(await run(['revoke-invitation', id])).toEqual({
        code: 1,
        output: `That invitation no longer exists. It may have expired.\n`,
      });
      expect(await run(['invitations'])).toEqual({ code: 0, output: '0 not expired\n' });
      await running.settle();
    });

    it('makes an invitation for more accounts and days with a note, and prints a path without PUBLIC_URL', async () => {
      await start();
      const made = await run(['invite', '--uses', '20', '--days=30', '--note', 'The hiking club']);
      const [id = ''] = partsOf(
        made.output,
        /^\/signup\?invitation=[\w-]{22}\nIt can be used 20 times, until \S+\. Its id is ([0-9a-f]{32})\.\n$/,
      );
      expect((await run(['invitations'])).output).toMatch(
        new RegExp(`^${id}  20 of 20 left  until \\S+  The hiking club\n1 not expired\n$`),
      );
    });

    it.each([
      [['--uses', '0'], '--uses must be a whole number, from 1 to 1000.\n'],
      [['--uses', 'many'], '--uses must be a whole number, from 1 to 1000.\n'],
      [['--days', '91'], '--days must be a whole number, from 1 to 90.\n'],
      [['--note', 'x'.repeat(201)], '--note must have at most 200 characters.\n'],
      [['--for', 'everybody'], expect.stringMatching(/^npm run admin -- grant/)],
      [['everybody'], expect.stringMatching(/^npm run admin -- grant/)],
    ])('makes no invitation with %j, and says why', async (options, output) => {
      expect(await run(['invite', ...options])).toEqual({ code: 2, output });
    });

    it.each([
      [['--days', '0'], '--days must be a whole number, from 1 to 365.\n'],
      [['--note', 'x'.repeat(501)], '--note must have at most 500 characters.\n'],
      [['ann'], expect.stringMatching(/^npm run admin -- grant/)],
    ])('suspends nobody with %j, and says why', async (options, output) => {
      expect(await run(['suspend', 'bob', ...options])).toEqual({ code: 2, output });
    });

    it('creates an account beside the running service, and prints a link for its password', async () => {
      const { auth: running } = await start();
      const { code, output } = await run(['create-account', 'Wanda'], env);
      expect(code).toBe(0);
      const [token = ''] = partsOf(
        output,
        /^https:\/\/wayquest\.example\/reset#token=([\w-]{43})\nIt sets the password of Wanda, once, within an hour\.\n$/,
      );
      await running.client.resetPassword({ body: { token, password: 'a long enough password' } });
      expect(await isAdmin(running, 'wanda')).toBe(false);
      await running.settle();
      expect(running.events).toContainEqual(
        expect.objectContaining({
          name: 'user.registered.v1',
          data: expect.objectContaining({ username: 'Wanda' }),
        }),
      );
      expect(await run(['create-account', 'wanda'])).toEqual({
        code: 1,
        output: 'That username is taken\n',
      });
    });

    it('makes a link for a new password while Wayquest is stopped', async () => {
      const { username } = await member((await start()).auth);
      await stop();
      const { output } = await run(['password-link', username.toUpperCase()]);
      const [token = ''] = partsOf(output, /^\/reset#token=([\w-]{43})\nIt sets the password of p/);
      const { auth: running } = await start();
      expect(await running.client.getResetLink({ body: { token } })).toEqual({ username });
    });

    it('lists, approves and declines accounts that wait for it', async () => {
      const { auth: running } = await start('approval');
      const logIn = (username: string) => codeOf(running.client.login({ body: { username, password } }));
      const [ann, bob] = ['ann-waits', 'bob-waits'];
      for (const username of [ann, bob])
        expect(await codeOf(running.client.signup({ body: { username, password } }))).toBe('account-waiting');
      expect((await run(['accounts', 'ann'])).output).toMatch(
        /^\d+ {2}ann-waits {2}\S+Z {2}waiting for approval until \S+Z\n1 account\n$/,
      );
      expect(await run(['approve', ann])).toEqual({
        code: 0,
        output: 'ann-waits is approved, and can log in. No mail says so: tell them.\n',
      });
      expect(await run(['decline', bob])).toEqual({
        code: 0,
        output: 'bob-waits is declined, and the account is deleted. Anybody can have the username now.\n',
      });
      expect([await logIn(ann), await logIn(bob)]).toEqual(['done', 'invalid-credentials']);
      expect(await run(['approve', ann])).toEqual({
        code: 1,
        output: "That account isn't waiting for approval. Somebody may have decided already.\n",
      });
      expect(await run(['decline', bob])).toEqual({ code: 1, output: 'There is no user named bob-waits.\n' });
    });

    it('lists accounts, and those whose username contains a text', async () => {
      const { auth: running } = await start();
      const [ann, bob] = [await member(running), await member(running)];
      await run(['grant', ann.username]);
      const since = '\\d{4}-\\d\\d-\\d\\dT\\S+Z';
      const { code, output } = await run(['accounts']);
      expect(code).toBe(0);
      expect(output).toMatch(
        new RegExp(
          `^${ann.id}  ${ann.username}  ${since}  admin\n${bob.id}  ${bob.username}  ${since}\n2 accounts\n$`,
        ),
      );
      expect((await run(['accounts', bob.username.slice(2)])).output).toMatch(
        new RegExp(`^${bob.id}  ${bob.username}  ${since}\n1 account\n$`),
      );
    });
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
    expect(result.output).toContain('takes out keys whose tokens have all run out');
  });
});
