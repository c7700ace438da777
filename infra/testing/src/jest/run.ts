import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { closingLineOf, type FileResult, keyOf, resultsFileVariable } from './closing-line.mts';
import { artifactFolders, deleteArtifacts, traceVariable } from './failure-artifacts.ts';

/** If more test files than this fail and then pass, the run fails. */
const maxFlakyFiles = 3;

/**
 * Time limits of runs, in seconds: a file that has not finished by then hangs, and is named. They are generous, and
 * shorter than the timeouts of continuous integration. `WAYQUEST_TEST_RUN_LIMIT` sets another one.
 */
const limits: Record<string, number> = { deterministic: 2_100, integration: 2_400 };
const limitSeconds =
  Number(process.env.WAYQUEST_TEST_RUN_LIMIT) || limits[process.env.WAYQUEST_TEST_RUN ?? ''] || 7_200;
const secondTryLimitSeconds = Math.min(limitSeconds, 400);

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');

/**
 * Runs Jest in its own process group, which is killed at the time limit with everything that it started.
 *
 * @param args - Arguments of Jest.
 * @param seconds - The time limit.
 * @param env - Additional environment variables.
 * @returns The results of each file; undefined if Jest exited without any.
 */
async function runJest(
  args: readonly string[],
  seconds: number,
  env: NodeJS.ProcessEnv = {},
): Promise<FileResult[] | undefined> {
  const directory = mkdtempSync(join(tmpdir(), 'wayquest-results-'));
  const file = join(directory, 'results.json');
  const child = spawn(process.execPath, ['--no-warnings', jest, ...args], {
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, ...env, [resultsFileVariable]: file },
  });
  const killGroup = (signal: NodeJS.Signals) => {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, signal);
  };
  const limit = setTimeout(() => {
    console.log(`The run exceeded its limit of ${seconds} s. Files that have not finished count as failed.`);
    killGroup('SIGKILL');
  }, seconds * 1_000);
  const stop = (signal: NodeJS.Signals) => {
    child.once('exit', () => process.exit(signal === 'SIGINT' ? 130 : 143));
    killGroup(signal);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await once(child, 'exit');
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    console.error('The run ended without results:', error);
    return undefined;
  } finally {
    clearTimeout(limit);
    process.off('SIGINT', stop).off('SIGTERM', stop);
    rmSync(directory, { recursive: true, force: true });
  }
}

const nameOf = ({ path, project }: FileResult) => `${relative(process.cwd(), path)} (${project})`;

/**
 * Runs failed files once more, one at a time, project by project.
 *
 * @returns The results of the second try by `keyOf`; a project that exited without results is missing.
 */
async function retryFailed(
  failed: readonly FileResult[],
  args: readonly string[],
): Promise<Map<string, FileResult>> {
  const retried = new Map<string, FileResult>();
  for (const project of new Set(failed.map((result) => result.project))) {
    const paths = failed.filter((result) => result.project === project).map(({ path }) => path);
    // The names of projects are a list, which the next option ends.
    const selected = project ? ['--selectProjects', project] : [];
    const retryArgs = [...selected, ...args, '--maxWorkers=1', ...paths];
    const results = await runJest(retryArgs, secondTryLimitSeconds, { [traceVariable]: '1' });
    for (const result of results ?? []) retried.set(keyOf(result), result);
  }
  return retried;
}

/** Prints the folders with logs and traces of failures (`npx playwright show-trace`). */
function printArtifactFolders(): void {
  for (const folder of artifactFolders()) console.log(`kept: ${folder}`);
}

/**
 * Runs the tests, with a second try: failed test files run once more, alone, after all others. If they pass then, the
 * run passes and names them as flaky.
 */
async function run(args: readonly string[]): Promise<number> {
  deleteArtifacts();
  const first = await runJest(args, limitSeconds);
  if (!first) {
    console.log('0 passed, 1 failed, 0 skipped');
    return 1;
  }
  const failed = first.filter((result) => result.failed > 0);
  if (failed.length === 0 || failed.length > maxFlakyFiles) {
    if (failed.length > 0)
      console.log(
        `${failed.length} test files failed, too many for a second try (at most ${maxFlakyFiles}): ${failed.map(nameOf).join(', ')}`,
      );
    printArtifactFolders();
    console.log(closingLineOf(first));
    return failed.length > 0 ? 1 : 0;
  }
  console.log(`Second try, one file at a time: ${failed.map(nameOf).join(', ')}`);
  const retried = await retryFailed(failed, args);
  const results = first.map((result) =>
    result.failed > 0 ? (retried.get(keyOf(result)) ?? result) : result,
  );
  const stillFailed = results.filter((result) => result.failed > 0);
  const flaky = failed.filter((result) => retried.get(keyOf(result))?.failed === 0);
  if (flaky.length > 0) console.log(`flaky: ${flaky.map(nameOf).join(', ')}`);
  printArtifactFolders();
  if (stillFailed.length > 0) console.log(`failed twice: ${stillFailed.map(nameOf).join(', ')}`);
  console.log(closingLineOf(results));
  return stillFailed.length > 0 ? 1 : 0;
}

process.exitCode = await run(process.argv.slice(2));
