import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const example = resolve(import.meta.dirname, '../example');

test('the example runs as it would in somebody else’s repository: without our runner and what it starts', async () => {
  const ours = Object.keys(process.env).filter((name) => /^(WAYQUEST|NODE_TEST|JEST)_/.test(name));
  const env = { ...process.env, ...Object.fromEntries(ours.map((name) => [name, undefined])) };
  const args = ['--import', 'tsx', '--conditions=@wayquest/source', 'points.test.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: example, env });
  expect(stdout).toMatch(/pass 1\n(.|\n)*fail 0/);
  // Nothing has been loaded, or started, before.
}, 60_000);
