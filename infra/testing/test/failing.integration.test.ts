import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const root = resolve(import.meta.dirname, '../../..');
const fixtures = resolve(import.meta.dirname, 'failing');
const fromSource = ['--import', 'tsx', '--conditions=@wayquest/source'];

/** Returns the output of a test run, and asserts that it failed. */
async function outputOf(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: root, env });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(await exited).toBe(1);
  return stdout + stderr;
}

/** Asserts that the output names the failed request, and shows the gateway's warning about the same one. */
function expectRequestExplained(output: string): void {
  const failedCall = /GET \/auth\/me is for users; request ([\w-]+)/;
  expect(output).toMatch(failedCall);
  const [, request] = failedCall.exec(output) ?? [];
  const gatewayLog = output.slice(output.indexOf('warnings of gateway:'));
  expect(gatewayLog).toMatch(/INFO request \{.*"status":200/);
  expect(gatewayLog).toMatch(new RegExp(`WARN upstream request failed .*"requestId":"${request}"`));
  expect(output).not.toContain('warnings of friends');
}

test('a failed test prints the logs of parts with warnings, and saves them with what its pages showed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'wayquest-failing-'));
  try {
    const jest = resolve(root, 'node_modules/jest/bin/jest.js');
    const artifacts = join(directory, 'kept');
    const env = {
      ...process.env,
      WAYQUEST_TEST_RUN: 'deterministic',
      WAYQUEST_TEST_KEPT: artifacts,
      NO_COLOR: '1',
    };
    const output = await outputOf([jest, '--config', join(fixtures, 'jest.config.js')], env);
    expectRequestExplained(output);
    // In the error message, before the stack.
    expect(output).toMatch(/temporarily unavailable(.|\n)*warnings of gateway:(.|\n)*at errorOf/);
    // The whole log is saved, and what a page showed.
    const saved = (name: string) =>
      readFile(join(artifacts, 'infra-testing-test-failing-jest.fixture.ts', name), 'utf8');
    expect(await saved('gateway.log')).toContain('"path":"/auth/me"');
    const pageReport = await saved('page-1.txt');
    for (const part of ['focused: <button>Back', 'console error: no such page', 'heading "Not found"'])
      expect(pageReport).toContain(part);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test('a failed test of Node’s test runner prints the logs of parts with warnings', async () => {
  // Otherwise the inner runner would report to the outer one.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const output = await outputOf([...fromSource, '--test', join(fixtures, 'node.fixture.ts')], env);
  expectRequestExplained(output);
});
