import { writeFileSync, writeSync } from 'node:fs';
import type { Test, TestContext, TestResult } from '@jest/test-result';

/** The results of a test file. */
export interface FileResult {
  path: string;
  /** The project's name: a file can run in several. */
  project: string;
  passed: number;
  /** A file that could not run, or an error that nobody caught, counts as one failed test. */
  failed: number;
  skipped: number;
}

/** Identifies a file in a project. */
export const keyOf = ({ path, project }: Pick<FileResult, 'path' | 'project'>): string =>
  `${project}\n${path}`;

/** The file that results are written to, for a caller that prints the closing line itself. */
export const resultsFileVariable = 'WAYQUEST_TEST_RESULTS';
const resultsFile = process.env[resultsFileVariable];

/** Results by `keyOf`. A file without results counts as failed if the run ends at its time limit. */
const resultsSoFar = new Map<string, FileResult>();

function add(results: FileResult[]): void {
  for (const result of results) resultsSoFar.set(keyOf(result), result);
  if (resultsFile) writeFileSync(resultsFile, JSON.stringify([...resultsSoFar.values()]));
}

const placeOf = ({ path, context }: Test) => ({ path, project: context.config.displayName?.name ?? '' });

/** Counts these files as failed until their results arrive. */
export const expectResults = (tests: readonly Test[]): void =>
  add(tests.map((test) => ({ ...placeOf(test), passed: 0, failed: 1, skipped: 0 })));

/** The line that continuous integration parses. */
export const closingLineOf = (results: readonly FileResult[]): string => {
  const sum = (count: 'passed' | 'failed' | 'skipped') =>
    results.reduce((total, result) => total + result[count], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`;
};

/** Prints the closing line of a run, or passes its results to the caller. */
export default class ClosingLine {
  onTestFileResult(test: Test, result: TestResult): void {
    add([
      {
        ...placeOf(test),
        passed: result.numPassingTests,
        failed: result.numFailingTests + (result.testExecError ? 1 : 0),
        skipped: result.numPendingTests + result.numTodoTests,
      },
    ]);
  }

  onRunComplete(_contexts: Set<TestContext>): void {
    if (resultsFile) return;
    // At the very end, after Jest's own summary.
    process.once('exit', () => {
      writeSync(1, `${closingLineOf([...resultsSoFar.values()])}\n`);
    });
  }
}
