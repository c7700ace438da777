import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome, Task } from './worker.ts';

export interface Suites {
  /** Runs a suite, with a mutant if one is given, until a test fails or the time limit is reached. */
  run(task: Task, limitMs: number): Promise<Outcome>;
  stop(): Promise<void>;
}

/**
 * Runs the suites of a package in a separate process, which loads it once. A process that hangs or dies is replaced.
 *
 * @param mutated - Sources with mutants, by path.
 */
export async function openSuites(mutated: Record<string, string>): Promise<Suites> {
  const directory = await mkdtemp(join(tmpdir(), 'wayquest-mutants-'));
  const path = join(directory, 'mutated.json');
  await writeFile(path, JSON.stringify(mutated));
  let worker: ChildProcess | undefined;

  const start = async (): Promise<ChildProcess> => {
    const started = fork(join(import.meta.dirname, 'worker.ts'), {
      execArgv: [
        '--conditions=@wayquest/source',
        '--no-warnings',
        `--import=${join(import.meta.dirname, 'hooks.mjs')}`,
      ],
      // As in test runs: responses are checked more strictly against their contract.
      env: { ...process.env, NODE_ENV: 'test', WAYQUEST_MUTATED: path },
      stdio: ['ignore', 'ignore', process.env.WAYQUEST_TEST_LOG ? 'inherit' : 'ignore', 'ipc'],
    });
    await Promise.race([
      once(started, 'message'),
      once(started, 'exit').then(() => {
        throw new Error('the suites could not be started: WAYQUEST_TEST_LOG=error tells why');
      }),
    ]);
    return started;
  };

  const end = async (): Promise<void> => {
    const ended = worker;
    worker = undefined;
    if (ended?.exitCode !== null || ended.signalCode !== null) return;
    ended.kill('SIGKILL');
    await once(ended, 'exit');
  };

  return {
    async run(task, limitMs) {
      worker ??= await start();
      const timeout = new AbortController();
      const { signal } = timeout;
      try {
        worker.send(task);
        const outcome: Outcome = await Promise.race([
          once(worker, 'message', { signal }).then(([message]) => message),
          once(worker, 'exit', { signal }).then(() => ({ failed: 'the process ended', covered: [] })),
          pause(limitMs, undefined, { signal }).then(() => ({
            failed: `took over ${limitMs} ms`,
            covered: [],
          })),
        ]);
        // Pending waits could disturb the next suite.
        if (outcome.failed && outcome.covered.length === 0) await end();
        return outcome;
      } finally {
        timeout.abort();
      }
    },
    async stop() {
      await end();
      await rm(directory, { recursive: true });
    },
  };
}
