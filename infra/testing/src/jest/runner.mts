import { join } from 'node:path';
import type { Test } from '@jest/test-result';
import type { Config } from '@jest/types';
import {
  CallbackTestRunner,
  type OnTestFailure,
  type OnTestStart,
  type OnTestSuccess,
  type TestRunnerContext,
  type TestWatcher,
} from 'jest-runner';
import { type JestWorkerFarm, Worker } from 'jest-worker';

/** The second element of `runner` in a project's configuration. */
export interface RunnerOptions {
  /** The store of the project's suites; each finds its own if there is none. */
  store?: 'embedded-store' | 'mongodb';
  /** How many files of this project run at the same time; Jest's `maxWorkers` by default, which is the limit too. */
  maxWorkers?: number;
  /** Timeout of hooks in milliseconds; that of tests by default. */
  hookTimeoutMs?: number;
}

/**
 * Jest's runner without realms (ADR 56): a process runs one file after the other with native modules, and loads the
 * services once. The transform of the project's configuration applies.
 *
 * Jest loads what its configuration names by `require`, unless its name ends with `.mts`.
 */
export default class NativeModulesRunner extends CallbackTestRunner {
  readonly #options: RunnerOptions;

  constructor(globalConfig: Config.GlobalConfig, context: TestRunnerContext, options: RunnerOptions = {}) {
    super(globalConfig, context);
    this.#options = options;
  }

  async runTests(
    tests: Test[],
    watcher: TestWatcher,
    onStart: OnTestStart,
    onResult: OnTestSuccess,
    onFailure: OnTestFailure,
  ): Promise<void> {
    const project = tests[0]?.context.config;
    if (!project) return;
    const { maxWorkers } = this._globalConfig;
    const numWorkers = Math.min(maxWorkers, this.#options.maxWorkers ?? maxWorkers, tests.length);
    const workers = new Worker(join(import.meta.dirname, 'worker.cjs'), {
      exposedMethods: ['run'],
      setupArgs: [this.#options],
      numWorkers,
      // A file that ends its process has failed.
      maxRetries: 0,
      forkOptions: {
        execArgv: [
          '--no-warnings',
          '--enable-source-maps',
          '--conditions=@wayquest/source',
          `--import=${join(import.meta.dirname, 'transform-hooks.mjs')}`,
          // A larger young generation (in MB): collecting garbage takes less of the processor.
          ...['--max-semi-space-size=64', '--min-semi-space-size=32'],
        ],
        env: { ...process.env, WAYQUEST_TEST_PROJECT: JSON.stringify(project) },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    }) as JestWorkerFarm<typeof import('./test-file.ts')>;
    const waiting = tests.values();
    const runWaiting = async () => {
      for (const test of waiting) {
        if (watcher.isInterrupted()) return;
        await onStart(test);
        try {
          const { config } = test.context;
          await onResult(test, await workers.run(test.path, config, this._globalConfig, this.#options));
        } catch (error) {
          const { message, stack } = error instanceof Error ? error : new Error(String(error));
          await onFailure(test, { message, stack });
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: numWorkers }, runWaiting));
    } finally {
      await workers.end();
    }
  }
}
