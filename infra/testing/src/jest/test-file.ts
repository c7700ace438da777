import { pathToFileURL } from 'node:url';
import { type AssertionResult, createEmptyTestResult, type TestResult } from '@jest/test-result';
import type { Circus, Config } from '@jest/types';
import { addEventHandler } from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { onStore } from '../store.ts';
import { runFile } from './circus.ts';
import { saveArtifacts } from './failure-artifacts.ts';
import type { RunnerOptions } from './runner.mts';

/** Called once, before the first file. */
export async function setup({ store }: RunnerOptions): Promise<void> {
  if (store) await onStore(store);
}

/** The file whose tests are running. */
let file = '';

/** Adds the warnings of networks' parts to an error, and keeps their logs and traces under `test-results/`. */
async function explainFailure(error: Circus.Exception): Promise<void> {
  const lines = globalThis.wayquestLines;
  const warnings = lines?.warnings();
  if (warnings && error instanceof Error) {
    const message = `${error.message}\n\n${warnings}\n`;
    // V8 has written the message into the stack already, which is what a report shows.
    error.stack = error.stack?.replace(error.message, () => message);
    error.message = message;
  }
  // The error of a timeout is a text.
  else if (warnings) process.stderr.write(`${warnings}\n`);
  await saveArtifacts(file, {
    logs: lines?.logs() ?? [],
    describePages: globalThis.wayquestPages ?? [],
    saveTraces: globalThis.wayquestTraces ?? [],
  });
}

addEventHandler(async (event) => {
  // Before the `afterEach` of the test: browsers are still open, so that their traces can be saved.
  if (event.name === 'test_fn_failure' || event.name === 'hook_failure') await explainFailure(event.error);
});

function statusOf({ status, errors }: Circus.TestResult): AssertionResult['status'] {
  if (status === 'skip') return 'pending';
  if (status === 'todo') return 'todo';
  return errors.length > 0 ? 'failed' : 'passed';
}

function toAssertionResult(result: Circus.TestResult): AssertionResult {
  // The first is the name of the root.
  const [, ...titles] = result.testPath;
  return {
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1) ?? '',
    fullName: titles.join(' '),
    status: statusOf(result),
    duration: result.duration ?? null,
    failing: result.failing,
    failureDetails: [],
    failureMessages: [...result.errors],
    invocations: result.invocations,
    location: result.location ?? null,
    numPassingAsserts: result.numPassingAsserts,
    retryReasons: [...result.retryReasons],
  };
}

/**
 * Runs a test file.
 *
 * @returns The result as Jest expects it.
 */
export async function run(
  path: string,
  config: Config.ProjectConfig,
  globalConfig: Config.GlobalConfig,
  { hookTimeoutMs }: RunnerOptions,
): Promise<TestResult> {
  file = path;
  const start = Date.now();
  const { testNamePattern, testTimeout = 5_000, maxConcurrency } = globalConfig;
  const { testResults, unhandledErrorsDetailed } = await runFile(pathToFileURL(path).href, {
    ...{ testTimeoutMs: testTimeout, hookTimeoutMs, maxConcurrency },
    testNamePattern: testNamePattern ? new RegExp(testNamePattern, 'i') : undefined,
  });
  const end = Date.now();
  const results = testResults.map(toAssertionResult);
  const count = (status: AssertionResult['status']) => results.filter((one) => one.status === status).length;
  const uncaught = unhandledErrorsDetailed.map((error) => formatExecError(error, config, globalConfig, path));
  const empty = createEmptyTestResult();
  return {
    ...empty,
    displayName: config.displayName,
    testFilePath: path,
    testResults: results,
    numPassingTests: count('passed'),
    numFailingTests: count('failed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    failureMessage:
      [formatResultsErrors(results, config, globalConfig, path) ?? '', ...uncaught].join('\n').trim() || null,
    ...(uncaught.length > 0 && {
      testExecError: { message: 'an error was not caught', stack: uncaught.join('\n') },
    }),
    perfStats: {
      ...empty.perfStats,
      ...{ start, end, runtime: end - start, slow: (end - start) / 1_000 > config.slowTestThreshold },
    },
  };
}
