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

const ours = async () => (await readdir(tmpdir())).filter((name) => /^wayquest-\d+\.sock$/.test(name));

// A socket's path has 107 bytes at most, and a letter of Chinese has three.
test('field case 25: starts in a data folder with a long Chinese path, also after a kill, and leaves nothing beside it', async () => {
  const directory = join(around, '我们的探索数据'.repeat(5));
  await mkdir(directory);
  expect(Buffer.byteLength(join(directory, 'mongo.sock'))).toBeGreaterThan(131);
  const left = await ours();
  const env = { DATA_DIR: directory, PORT: String(await freePort()) };
  wayquest = await startAllInOne(env);
  const nobody = createClient({ baseUrl: wayquest.url });
  await nobody.signup({ body: { username: 'ann', password: testPassword } });
  await wayquest.end('SIGKILL');

  wayquest = await startAllInOne(env);
  await nobody.login({ body: { username: 'ann', password: testPassword } });
  await wayquest.end('SIGTERM');
  expect(await readdir(around)).toEqual(['我们的探索数据'.repeat(5)]);
  expect(await ours()).toEqual(left);
});
