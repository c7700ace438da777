import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@wayquest/contracts';
import { afterFile, freePort } from '@wayquest/testing';
import { type AllInOneProcess, whenListening } from '../../local/test/all-in-one-process.ts';

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

/** Starts the installed program; resolves once it has printed its URL. */
function startInstalled(env: NodeJS.ProcessEnv): Promise<AllInOneProcess> {
  const child = spawn(program('wayquest'), { cwd: folder, env });
  afterFile(async () => child.kill('SIGKILL'));
  return whenListening(child);
}

test('the npm package runs everything in an empty folder: pages, calls, pictures, towns and commands', async () => {
  const { url, end } = await startInstalled({ ...environment(), PORT: String(await freePort()) });
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
  expect(await end('SIGTERM')).toBe(0);
});

test('the npm package contains the licenses of the packages in its bundles', async () => {
  const files = await readdir(join(folder, 'node_modules/wayquest'));
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'LICENSES.txt']));
});
