import { writeFileSync, writeSync } from 'node:fs';
import type { AggregatedResult, Reporter } from '@jest/reporters';

/** What a run found in one test file. */
export interface FileResult {
  path: string;
  /** The display name of the jest project: one file can run in several. */
  project: string;
  passed: number;
  /** A file that could not even run counts as one failed test. */
  failed: number;
  skipped: number;
}

/** Names a file to write the results to, for whoever started the run and prints the closing line itself. */
export const resultsFileVariable = 'WAYQUEST_TEST_RESULTS';

const fileResults = ({ testResults }: AggregatedResult): FileResult[] =>
  testResults.map((result) => ({
    path: result.testFilePath,
    project: result.displayName?.name ?? '',
    passed: result.numPassingTests,
    failed: result.numFailingTests + (result.testExecError && result.numFailingTests === 0 ? 1 : 0),
    skipped: result.numPendingTests + result.numTodoTests,
  }));

/** The line that continuous integration reads. */
export const closingLineOf = (results: readonly FileResult[]): string => {
  const sum = (count: 'passed' | 'failed' | 'skipped') =>
    results.reduce((total, result) => total + result[count], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`;
};

/** Ends a run with the line that continuous integration reads, or hands its results to the runner. */
export default class ClosingLine implements Pick<Reporter, 'onRunComplete'> {
  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    const file = process.env[resultsFileVariable];
    if (file) {
      writeFileSync(file, JSON.stringify(fileResults(results)));
      return;
    }
    // At the very end, after jest's own summary; past the stream, which jest closes when it is made to exit.
    process.once('exit', () => {
      writeSync(1, `${closingLineOf(fileResults(results))}\n`);
    });
  }
}
