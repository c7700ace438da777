import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@wayquest/contracts';
import { afterFile, freePort } from '@wayquest/testing';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

/** An empty folder with nothing but Node and what npm installed from the archive. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wayquest-release-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  const { stdout } = await run(process.execPath, ['infra/release/package.mjs', folder], { cwd: root });
  await run('npm', ['install', '--no-audit', '--no-fund', stdout.trim()], { cwd: folder });
});

const environment = () => ({ PATH: dirname(process.execPath), DEMO: '0', DATA_DIR: join(folder, 'data') });
const program = (name: string) => join(folder, 'node_modules/.bin', name);

/** Starts the installed program; resolves with its address once it has printed it. */
async function startInstalled(env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(program('wayquest'), { cwd: folder, env });
  afterFile(async () => child.kill('SIGKILL'));
  let output = '';
  const url = await new Promise<string>((found, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const address = /Wayquest is at (\S+)/.exec(output)?.[1];
        if (address) found(address);
      });
    child.once('exit', (code) => failed(new Error(`it exited with ${code}: ${output}`)));
  });
  return { child, url };
}

test('the npm package runs everything in an empty folder: pages, calls, pictures, towns and commands', async () => {
  const { child, url } = await startInstalled({ ...environment(), PORT: String(await freePort()) });
  const page = await fetch(`${url}/explore`, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect((await page.text()).includes('Explore Map')).toBe(true);
  const client = createClient({ baseUrl: url });
  const { token } = await client.signup({
    body: { username: 'ada', password: 'correct horse battery staple' },
  });
  const [found] = await client.searchPlaces({ query: { text: 'Reykjavík' } });
  expect(found?.name).toContain('Reykjav');
  expect((await fetch(`${url}/api/docs/swagger-ui.css`)).status).toBe(200);
  await client.createChallenge({ body: { name: 'Walk', difficulty: 'Easy' } }, { token });

  // Commands work on the store of the program that runs.
  const { stdout } = await run(program('wayquest-admin'), ['accounts'], { cwd: folder, env: environment() });
  expect(stdout).toContain('ada');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the npm package contains the licenses of the packages in its bundles', async () => {
  const files = await readdir(join(folder, 'node_modules/wayquest'));
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'LICENSES.txt']));
});
