import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const root = resolve(import.meta.dirname, '../../..');
const fixtures = resolve(import.meta.dirname, 'failing');
const fromSource = ['--import', 'tsx', '--conditions=@wayquest/source'];

/** All that a run of tests says, which has to fail. */
async function outputOf(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const child = spawn(process.execPath, [...fromSource, ...args], { cwd: root, env });
  const ended = new Promise((tell) => child.once('exit', tell));
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(await ended).toBe(1);
  return said + complained;
}

/** The request that the failed call names is the one that the gateway warned of, among all that it logged. */
function expectRequestExplained(output: string): void {
  const told = /GET \/auth\/me is for users; request ([\w-]+)/;
  expect(output).toMatch(told);
  const [, request] = told.exec(output) ?? [];
  const said = output.slice(output.indexOf('gateway complained:'));
  expect(said).toMatch(/INFO request \{.*"status":200/);
  expect(said).toMatch(new RegExp(`WARN upstream request failed .*"requestId":"${request}"`));
  expect(output).not.toContain('friends complained');
}

test('a failed test shows the logs of parts with warnings', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'wayquest-failing-'));
  try {
    const vitest = resolve(root, 'node_modules/vitest/vitest.mjs');
    const kept = join(directory, 'kept');
    const env = { ...process.env, WAYQUEST_TEST_KEPT: kept, NO_COLOR: '1' };
    const output = await outputOf(
      [vitest, 'run', '--root', root, '--config', join(fixtures, 'vitest.config.ts')],
      env,
    );
    expectRequestExplained(output);
    // With what failed, before where.
    expect(output).toMatch(/temporarily unavailable(.|\n)*gateway complained:(.|\n)*❯ errorOf/);
    // All of it, for a longer look.
    const log = join(kept, 'infra-testing-test-failing-vitest.fixture.ts', 'gateway.log');
    expect(await readFile(log, 'utf8')).toContain('"path":"/auth/me"');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test('a failed test under Node’s own runner does, too, with one import', async () => {
  // A runner inside a runner would report to it.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const output = await outputOf(['--test', join(fixtures, 'node.fixture.ts')], env);
  expectRequestExplained(output);
});
