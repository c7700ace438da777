import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@wayquest/contracts';
import { keyFilesIn } from '@wayquest/platform/settings';
import { eventually, freePort, generateKeys, startCollector, startDedicated } from '@wayquest/testing';
import { MongoClient } from 'mongodb';
import { type AllInOneProcess, runAllInOne, startAllInOne } from './all-in-one-process.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wayquest-start-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** What a start prints beside its address and the folder of mails. */
const warningsOf = (wayquest: AllInOneProcess) => wayquest.output().trim().split('\n').slice(2);

test('the first start creates demo data, which the second start keeps', async () => {
  const env = { DATA_DIR: directory, PORT: String(await freePort()), DEMO: '1' };
  const unfinished = join(directory, 'demo-unfinished');
  const first = await startAllInOne(env);
  const visitor = createClient({ baseUrl: first.url });
  const people = await eventually(
    async () => {
      const { total, podium } = await visitor.getLeaderboard();
      expect(total).toBe(12);
      expect(existsSync(unfinished)).toBe(false);
      return podium;
    },
    { withinMs: 110_000 },
  );
  expect(people.map(({ points }) => points > 0)).toEqual([true, true, true]);
  const challenges = await visitor.listChallenges();
  expect(challenges).toHaveLength(12);
  for (const { position } of challenges) {
    expect(Math.hypot((position?.lat ?? 0) - 40.76, (position?.lng ?? 0) + 73.82)).toBeLessThan(0.15);
  }
  expect(warningsOf(first)).toEqual([]);
  expect(await first.end('SIGTERM')).toBe(0);

  // The public keys of a rotation remain after a restart.
  await appendFile(keyFilesIn(directory).publicFile, generateKeys().publicKey);
  const second = await startAllInOne(env);
  expect(await visitor.listChallenges()).toHaveLength(12);
  expect(await visitor.listUsers()).toHaveLength(12);
  expect((await visitor.getPublicKeys()).keys).toHaveLength(2);
  await second.end('SIGTERM');
});

test('demo data whose creation was interrupted twice are completed by the next start, without a warning (51.5)', async () => {
  const env = { DATA_DIR: directory, PORT: String(await freePort()), DEMO: '1' };
  const first = await startAllInOne(env);
  const visitor = createClient({ baseUrl: first.url });
  const hasChallenges = (count: number) =>
    eventually(async () => (await visitor.listChallenges()).length > count, {
      withinMs: 110_000,
      everyMs: 5,
    });
  await hasChallenges(2);
  await first.end('SIGKILL');

  const second = await startAllInOne(env);
  await hasChallenges(5);
  expect(await second.end('SIGTERM')).toBe(0);

  const third = await startAllInOne(env);
  await eventually(() => !existsSync(join(directory, 'demo-unfinished')), { withinMs: 110_000 });
  expect(await visitor.listChallenges()).toHaveLength(12);
  expect(await visitor.listUsers()).toHaveLength(12);
  expect(warningsOf(third)).toEqual([]);
  await third.end('SIGKILL');
});

test('demo data are completed when a store that stopped during their creation is available again', async () => {
  const store = await startDedicated('embedded-store');
  const env = { DATA_DIR: directory, PORT: String(await freePort()), DEMO: '1' };
  const wayquest = await startAllInOne({ ...env, MONGO_URL: store.address, STORE_TIMEOUT_MS: '500' });
  const visitor = createClient({ baseUrl: wayquest.url });
  await eventually(async () => (await visitor.listChallenges()).length > 2, {
    withinMs: 110_000,
    everyMs: 5,
  });
  await store.pause();
  await eventually(() => wayquest.output().includes('could not complete the demo data'), {
    withinMs: 110_000,
  });
  await store.resume();
  await eventually(() => !existsSync(join(directory, 'demo-unfinished')), { withinMs: 110_000 });
  expect(await visitor.listChallenges()).toHaveLength(12);
  expect(await visitor.listUsers()).toHaveLength(12);
  expect(await wayquest.end('SIGTERM')).toBe(0);
});

test('the running store publishes its URL in a file, and removes it when it stops', async () => {
  const wayquest = await startAllInOne({ DATA_DIR: directory, PORT: '0' });
  const address = join(directory, 'mongo.url');
  const store = await MongoClient.connect(await readFile(address, 'utf8'));
  expect(await store.db().command({ ping: 1 })).toMatchObject({ ok: 1 });
  await store.close();
  expect(await wayquest.end('SIGINT')).toBe(0);
  expect(existsSync(address)).toBe(false);
});

test('only the owner of the folder can connect to the store or read its files, unless a port is configured', async () => {
  await chmod(directory, 0o755);
  const port = String(await freePort());
  const wayquest = await startAllInOne({ DATA_DIR: directory, PORT: port });
  expect(await readFile(join(directory, 'mongo.url'), 'utf8')).toMatch(/^mongodb:\/\/%2F/);
  const names = await readdir(directory, { recursive: true });
  expect(names).toContain('mongo.sock');
  const open: string[] = [];
  for (const name of ['', ...names]) if ((await stat(join(directory, name))).mode & 0o077) open.push(name);
  expect(open).toEqual([]);
  await wayquest.end('SIGTERM');

  const storePort = await freePort();
  const again = await startAllInOne({ DATA_DIR: directory, PORT: port, STORE_PORT: String(storePort) });
  expect(await readFile(join(directory, 'mongo.url'), 'utf8')).toBe(`mongodb://127.0.0.1:${storePort}`);
  await again.end('SIGTERM');
});

test('a token survives a restart; an unresponsive collector delays neither calls nor stopping', async () => {
  const env = { DATA_DIR: directory, PORT: String(await freePort()) };
  const first = await startAllInOne(env);
  const client = createClient({ baseUrl: first.url });
  const { token } = await client.signup({
    body: { username: 'ada', password: 'correct horse battery staple' },
  });
  await first.end('SIGKILL');
  await using collector = await startCollector({ hang: true });
  const second = await startAllInOne({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  expect(await client.getMe({}, { token })).toMatchObject({ username: 'ada' });
  expect(await second.end('SIGTERM')).toBe(0);
  const names = collector.spans.map(({ service, name }) => `${service} ${name}`);
  expect(names).toEqual(expect.arrayContaining(['gateway GET /auth/me', 'users GET /auth/me']));
});

test('a port in use is reported without a stack', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '0.0.0.0', resolve));
  const { port } = other.address() as AddressInfo;
  const { code, output } = await runAllInOne({ DATA_DIR: directory, PORT: String(port) });
  expect({ code, output }).toEqual({
    code: 1,
    output: `Port ${port} is in use. Set PORT to another one, such as ${port + 1}.\n`,
  });
  await new Promise((resolve) => other.close(resolve));
});

test('a folder in use by another process is reported without a stack', async () => {
  const owner = await startAllInOne({ DATA_DIR: directory, PORT: '0' });
  const { code, output } = await runAllInOne({ DATA_DIR: directory, PORT: '0' });
  expect(code).toBe(1);
  expect(output).toMatch(
    /^\S+ is in use by process \d+\. Stop that one first, or set DATA_DIR to another folder\.\n$/,
  );
  await owner.end('SIGKILL');
});

test('all invalid settings are reported together', async () => {
  const { code, output } = await runAllInOne({
    DATA_DIR: directory,
    PORT: '70000',
    DEMO: 'yes',
    AMQP_URL: 'http://x',
  });
  expect(code).toBe(1);
  for (const name of ['PORT', 'DEMO', 'AMQP_URL']) expect(output).toContain(`  ${name}: `);
});
