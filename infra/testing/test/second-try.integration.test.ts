import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const runner = fileURLToPath(new URL('../src/jest/run.ts', import.meta.url));
const config = fileURLToPath(new URL('second-try/jest.config.js', import.meta.url));

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'second-try-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs some of the fixtures; returns the exit code and the printed lines. */
function runFixtures(...names: string[]) {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=@wayquest/source', runner, '--config', config, ...names],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        SECOND_TRY_MARKER: join(directory, 'marker'),
        WAYQUEST_TEST_KEPT: join(directory, 'kept'),
        WAYQUEST_TEST_RUN_LIMIT: '20',
      },
    },
  );
  return { status, lines: stdout.trim().split('\n') };
}

describe('the second try of a test run', () => {
  it('is skipped if everything passed', () => {
    expect(runFixtures('passes.fixture')).toEqual({ status: 0, lines: ['1 passed, 0 failed, 0 skipped'] });
  });

  it('passes the run and reports the file as flaky if it passes the second time', () => {
    const { status, lines } = runFixtures('passes');
    expect(status).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/^flaky: \S+passes-the-second-time\.fixture\.ts/));
    expect(lines.at(-1)).toBe('2 passed, 0 failed, 0 skipped');
  });

  it('runs a file that had not finished at the time limit', () => {
    const { status, lines } = runFixtures('passes.fixture', 'hangs');
    expect(status).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/^flaky: \S+hangs-the-first-time\.fixture\.ts/));
    expect(lines.at(-1)).toBe('2 passed, 0 failed, 0 skipped');
  });

  it('fails the run if a file fails twice, and counts each test once', () => {
    const { status, lines } = runFixtures('passes', 'fails');
    expect(status).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(/^flaky: \S+passes-the-second-time\.fixture\.ts/));
    expect(lines).toContainEqual(expect.stringMatching(/^failed twice: \S+fails\.fixture\.ts/));
    expect(lines.at(-1)).toBe('3 passed, 1 failed, 0 skipped');
  });
});
