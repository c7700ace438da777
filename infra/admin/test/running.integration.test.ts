import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@wayquest/contracts';
import { eventually, freePort } from '@wayquest/testing';
import mongoose from 'mongoose';
import { type AllInOneProcess, startAllInOne } from '../../local/test/all-in-one-process.ts';
import { admin } from './admin-process.ts';

describe('npm run admin, beside a running installation', () => {
  const password = 'correct horse battery staple';
  /** Polls slowly, since this installation has rate limits. */
  const seldom = { everyMs: 500 };
  /** While it is idle, a service looks for what a command has written every 20 s. */
  const patiently = { ...seldom, withinMs: 60_000 };
  let directory: string;
  let wayquest: AllInOneProcess | undefined;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'wayquest-running-'));
    wayquest = await startAllInOne({ DATA_DIR: directory, PORT: String(await freePort()) });
  });
  afterAll(async () => {
    await wayquest?.end('SIGTERM');
    await rm(directory, { recursive: true, force: true });
  });

  const as = (token?: string, userAgent?: string) =>
    createClient({
      baseUrl: wayquest?.url ?? '',
      ...(token && { token: () => token }),
      ...(userAgent && {
        fetch: (url: string | URL | Request, init?: RequestInit) => {
          const headers = new Headers(init?.headers);
          headers.set('user-agent', userAgent);
          return fetch(url, { ...init, headers });
        },
      }),
    });
  const statusOf = (token: string) =>
    as(token)
      .getMe()
      .then(
        () => 200,
        ({ status }) => status,
      );

  it('lists and ends a user’s sessions, in every service', async () => {
    const phone = 'Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0';
    const { token } = await as(undefined, phone).signup({ body: { username: 'ann', password } });
    const { token: second } = await as(undefined, '-').login({ body: { username: 'ann', password } });
    const { token: bobs } = await as().signup({ body: { username: 'bob', password } });
    await eventually(
      async () => expect(await Promise.all([token, second, bobs].map(statusOf))).toEqual([200, 200, 200]),
      seldom,
    );
    const [newer, older] = await as(token).listSessions();
    expect(await admin(['sessions', 'Ann'], { DATA_DIR: directory })).toEqual({
      code: 0,
      output: `${newer?.since}  does not say what it is\n${older?.since}  Firefox, Android\n2 open\n`,
    });

    expect(await admin(['end-sessions', 'Ann'], { DATA_DIR: directory })).toEqual({
      code: 0,
      output: 'ann is logged out everywhere.\n',
    });
    await eventually(
      async () => expect(await Promise.all([token, second].map(statusOf))).toEqual([401, 401]),
      seldom,
    );
    expect(await admin(['sessions', 'ann'], { DATA_DIR: directory })).toEqual({
      code: 0,
      output: '0 open\n',
    });
    expect(await statusOf(bobs)).toBe(200);
    const { token: third } = await as().login({ body: { username: 'ann', password } });
    expect(await statusOf(third)).toBe(200);
  });

  it('suspends a person whom nobody has reported, and ends the suspension', async () => {
    const run = (...command: string[]) => admin(command, { DATA_DIR: directory });
    const logIn = () => as().login({ body: { username: 'dee', password } });
    const { token } = await as().signup({ body: { username: 'dee', password } });
    await eventually(async () => expect(await statusOf(token)).toBe(200), seldom);

    const suspended = await run('suspend', 'Dee', '--days', '30', '--note', 'Sells tickets.');
    expect(suspended.output).toMatch(
      /^dee is suspended until \S+Z: within half a minute, or when Wayquest starts\.\n$/,
    );
    const until = suspended.output.split(' ')[4]?.replace(/:$/, '');
    await eventually(async () => expect(await statusOf(token)).toBe(401), patiently);
    await expect(logIn()).rejects.toMatchObject({ problem: { code: 'suspended' } });
    expect((await run('accounts', 'dee')).output).toContain(`suspended until ${until}`);

    expect(await run('end-suspension', 'dee')).toEqual({
      code: 0,
      output: 'dee is not suspended any more: within half a minute, or when Wayquest starts.\n',
    });
    await eventually(
      async () => expect((await run('accounts', 'dee')).output).not.toContain('suspended'),
      patiently,
    );
    const again = await logIn();
    await eventually(
      async () =>
        expect(await as(again.token).listOwnDecisions({ query: {} })).toMatchObject([
          { kind: 'user', action: 'restore', byReports: false },
          { kind: 'user', action: 'suspend', byReports: false, until },
        ]),
      seldom,
    );
    expect(await run('end-suspension', 'dee')).toEqual({ code: 1, output: 'dee is not suspended.\n' });
    // The service writes the lines, so that its log has their hashes.
    await eventually(
      async () => expect((await run('audit')).output).toMatch(/^2 lines are as they/),
      patiently,
    );
  });

  it('rebuilds a service’s lost replicas', async () => {
    const { token } = await as().signup({ body: { username: 'cem', password } });
    await eventually(async () => expect(await statusOf(token)).toBe(200));
    const url = await readFile(join(directory, 'mongo.url'), 'utf8');
    const client = await mongoose.mongo.MongoClient.connect(url.trim());
    try {
      const profiles = client.db('wayquest_users').collection('profiles');
      await profiles.deleteMany({});
      expect(await admin(['replicas', 'users'], { DATA_DIR: directory })).toEqual({
        code: 0,
        output: 'The other services will send users their data again.\n',
      });
      await eventually(async () => expect((await profiles.find().toArray()).length).toBeGreaterThan(0));
    } finally {
      await client.close();
    }
  });
});
