import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Circus } from '@jest/types';
import * as circus from 'jest-circus';
import { ModuleMocker } from 'jest-mock';
import { cleanUpAfterFile } from '../backing.ts';

/** How the tests of a file are run. */
export interface RunOptions {
  /** Timeout of a test that has none of its own, in milliseconds. */
  testTimeoutMs: number;
  /** The same of a hook; that of a test by default. */
  hookTimeoutMs?: number | undefined;
  /** How many concurrent tests of the file go on at the same time. */
  maxConcurrency: number;
  /** Only tests whose full name it matches are run. */
  testNamePattern?: RegExp | undefined;
}

const { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } = circus;
const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({
  global: globalThis,
  // That of the project whose files this process runs (`transform-hooks.mjs`).
  config: JSON.parse(process.env.WAYQUEST_TEST_PROJECT ?? '{}'),
});

/** What tests use of `jest`: modules are native here, so that they cannot be mocked. */
const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: (config?: Parameters<typeof timers.useFakeTimers>[0]) => timers.useFakeTimers(config),
  useRealTimers: () => timers.useRealTimers(),
  setSystemTime: (now?: number | Date) => timers.setSystemTime(now),
  advanceTimersByTimeAsync: (ms: number) => timers.advanceTimersByTimeAsync(ms),
};

Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, it, test, jest });
Object.assign(globalThis, { expect: jestExpect });

let hookTimeout: number | undefined;

/** Calls what the test has registered with `afterTest`, the last first, and releases its pages. */
async function cleanUpAfterTest({ errors, asyncError }: Circus.TestEntry): Promise<void> {
  const cleanUps = [
    ...(globalThis.wayquestTestCleanups ?? []).reverse(),
    ...(globalThis.wayquestVisitors ?? []),
  ];
  globalThis.wayquestTestCleanups = undefined;
  globalThis.wayquestVisitors = undefined;
  for (const cleanUp of cleanUps) {
    try {
      await cleanUp();
    } catch (error) {
      errors.push([error, asyncError]);
    }
  }
}

circus.addEventHandler(async (event) => {
  if (event.name === 'hook_start') event.hook.timeout ??= hookTimeout;
  if (event.name === 'test_start') {
    globalThis.wayquestLines?.clearWarnings();
    // Of concurrent tests nobody knows which one opens a page.
    globalThis.wayquestVisitors = event.test.concurrent ? undefined : new Set();
  }
  if (event.name === 'test_done') await cleanUpAfterTest(event.test);
});

/** An error that nobody caught fails the file that is running. */
const onUncaughtError = (error: unknown) => circus.getState().unhandledErrors.push([error, new Error()]);
process.on('uncaughtException', onUncaughtError).on('unhandledRejection', onUncaughtError);

/**
 * Runs the tests of a file in this process, with native modules, which stay loaded for the files that follow. Calls what
 * the file has registered with `afterTest` and `afterFile`.
 *
 * @param url - The file's, with a query if it has been loaded before.
 * @returns What jest-circus returns; errors that nobody caught are among `unhandledErrors`.
 * @throws If the file cannot be loaded.
 */
export async function runFile(
  url: string,
  { testTimeoutMs, hookTimeoutMs, maxConcurrency, testNamePattern }: RunOptions,
): Promise<Circus.RunResult> {
  circus.resetState();
  Object.assign(circus.getState(), { testTimeout: testTimeoutMs, maxConcurrency, testNamePattern });
  hookTimeout = hookTimeoutMs;
  try {
    await import(url);
    return await circus.run();
  } finally {
    await cleanUpAfterFile();
    globalThis.wayquestLines = undefined;
    globalThis.wayquestTraces = undefined;
    globalThis.wayquestPages = undefined;
  }
}
