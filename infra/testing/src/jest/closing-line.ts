import { writeSync } from 'node:fs';
import type { AggregatedResult, Reporter } from '@jest/reporters';

/** Ends a run with the line that continuous integration reads: a suite that could not even run counts as failed. */
export default class ClosingLine implements Pick<Reporter, 'onRunComplete'> {
  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } =
      results;
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const skipped = numPendingTests + numTodoTests;
    // At the very end, after jest's own summary; past the stream, which jest closes when it is made to exit.
    process.once('exit', () => {
      writeSync(1, `${numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`);
    });
  }
}
