import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { FormattedTestResults } from '@jest/test-result';

const root = resolve(import.meta.dirname, '../../..');
const config = join(import.meta.dirname, 'runner/jest.config.js');

/** Runs the fixtures; returns the results of each file, and whether the run passed. */
function runFixtures(...args: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'runner-'));
  try {
    const output = join(directory, 'results.json');
    const jest = resolve(root, 'node_modules/jest/bin/jest.js');
    const { status } = spawnSync(
      process.execPath,
      [jest, '--config', config, '--json', `--outputFile=${output}`, ...args],
      { cwd: root, env: { ...process.env, WAYQUEST_TEST_KEPT: join(directory, 'kept') } },
    );
    const { testResults }: FormattedTestResults = JSON.parse(readFileSync(output, 'utf8'));
    const files = new Map(
      testResults.map(({ name, status, message, assertionResults }) => [
        basename(name, '.fixture.ts'),
        {
          status,
          message,
          tests: assertionResults.map(({ title, status, failureMessages }) => ({
            title,
            status,
            reason: failureMessages?.join('\n') ?? '',
          })),
        },
      ]),
    );
    return { status, files };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe('the runner', () => {
  let files: ReturnType<typeof runFixtures>['files'];
  let status: ReturnType<typeof runFixtures>['status'];
  beforeAll(() => {
    ({ files, status } = runFixtures());
  });
  const testsOf = (file: string) => files.get(file)?.tests ?? [];
  const statusesOf = (file: string) => testsOf(file).map(({ title, status }) => [title, status]);

  it('fails a run with failures', () => {
    expect(status).toBe(1);
  });

  it('ends tests and hooks at their timeouts', () => {
    const [test, hook] = testsOf('timeouts');
    expect([test?.status, hook?.status]).toEqual(['failed', 'failed']);
    expect(test?.reason).toContain('Exceeded timeout of 10 ms for a test');
    expect(hook?.reason).toContain('Exceeded timeout of 10 ms for a hook');
  });

  it('does not run the tests of a suite whose beforeAll failed', () => {
    expect(statusesOf('before-all-fails')).toEqual([
      ['is not run', 'failed'],
      ['the one after it is run, and the test was not', 'passed'],
    ]);
    expect(testsOf('before-all-fails')[0]?.reason).toContain('not ready');
  });

  it('runs as many concurrent tests at a time as the configuration says', () => {
    expect(testsOf('concurrent').map(({ status }) => status)).toEqual(Array(5).fill('passed'));
  });

  it('calls what a test has registered with afterTest', () => {
    expect(testsOf('after-test').map(({ status }) => status)).toEqual(['passed', 'passed', 'failed']);
    expect(testsOf('after-test')[2]?.reason).toContain('could not be cleaned up');
  });

  it('fails the file that was running when an error was not caught', () => {
    expect(statusesOf('uncaught')).toEqual([['leaves a rejection that nobody handles', 'passed']]);
    expect(files.get('uncaught')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('handled by nobody'),
    });
  });

  it('fails a file that ends its process, and one without tests', () => {
    expect(files.get('ends-the-process')?.status).toBe('failed');
    expect(files.get('empty')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('must contain at least one test'),
    });
  });

  it('offers fake timers and mocks', () => {
    expect(testsOf('fake-timers').map(({ status }) => status)).toEqual(['passed']);
  });

  it('runs only the tests that the command line names', () => {
    const named = runFixtures('before-all-fails', '-t', 'the one after it');
    expect(named.status).toBe(0);
    expect(named.files.get('before-all-fails')?.tests.map(({ status }) => status)).toEqual([
      'pending',
      'passed',
    ]);
  });

  it('runs suites that start containers after all others', () => {
    // Without what earlier runs took, the largest file comes first.
    const { files: inOrder } = runFixtures(
      '--maxWorkers=1',
      '--no-cache',
      'containers',
      'concurrent',
      'uncaught',
    );
    expect([...inOrder.keys()].at(-1)).toBe('containers');
  });
});
