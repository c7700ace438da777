import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@wayquest/contracts';
import { freePort, testPassword } from '@wayquest/testing';
import { type AllInOneProcess, startAllInOne } from './all-in-one-process.ts';

let around: string;
let wayquest: AllInOneProcess | undefined;
beforeEach(async () => {
  around = await mkdtemp(join(tmpdir(), 'wayquest-folder-'));
});
afterEach(async () => {
  await wayquest?.end('SIGKILL');
  await rm(around, { recursive: true, force: true });
});

const socketFiles = async () => (await readdir(tmpdir())).filter((name) => /^wayquest-\d+\.sock$/.test(name));

// A socket's path has at most 107 bytes, and a Chinese character has three.
test('starts in a data folder with a long Chinese path, also after a kill, and leaves no socket behind', async () => {
  const directory = join(around, '我们的探索数据'.repeat(5));
  await mkdir(directory);
  expect(Buffer.byteLength(join(directory, 'mongo.sock'))).toBeGreaterThan(131);
  const before = await socketFiles();
  const env = { DATA_DIR: directory, PORT: String(await freePort()) };
  wayquest = await startAllInOne(env);
  const visitor = createClient({ baseUrl: wayquest.url });
  await visitor.signup({ body: { username: 'ann', password: testPassword } });
  await wayquest.end('SIGKILL');

  wayquest = await startAllInOne(env);
  await visitor.login({ body: { username: 'ann', password: testPassword } });
  await wayquest.end('SIGTERM');
  expect(await readdir(around)).toEqual(['我们的探索数据'.repeat(5)]);
  expect(await socketFiles()).toEqual(before);
});
