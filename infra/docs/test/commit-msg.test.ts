import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const hook = join(import.meta.dirname, '../../hooks/commit-msg');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wayquest-hook-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the hook on a message; returns the exit code and the output. */
function check(message: string) {
  const file = join(folder, 'message');
  writeFileSync(file, message);
  const { status, stderr } = spawnSync('sh', [hook, file], { encoding: 'utf8' });
  return { status, output: stderr.trim() };
}

it.each([
  'chat: keep order after a retry',
  'challenges, places: suggest challenges in towns that have none\n\nThe reason.',
  `web: ${'x'.repeat(67)}`,
  "Merge branch 'next'",
  'Revert "chat: keep order after a retry"',
])('the commit hook accepts %j', (message) => {
  expect(check(message)).toEqual({ status: 0, output: '' });
});

it.each([
  ['Keep order after a retry', "The subject needs a scope, as in 'chat: keep order after a retry'."],
  ['chat:keep order', "The subject needs a scope, as in 'chat: keep order after a retry'."],
  [`web: ${'x'.repeat(68)}`, 'The subject has 73 characters; 72 are the limit.'],
])('the commit hook rejects %j', (message, output) => {
  expect(check(message)).toEqual({ status: 1, output });
});
