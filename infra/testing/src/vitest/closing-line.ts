import { writeFileSync, writeSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, TestSpecification } from 'vitest/node';

/** What a run found in one test file. */
export interface FileResult {
  path: string;
  /** The name of the project: one file can run in several. */
  project: string;
  passed: number;
  /** A file that could not even run counts as one failed test. */
  failed: number;
  skipped: number;
}

/** Names a file to write the results to, for whoever started the run and prints the closing line itself. */
export const resultsFileVariable = 'WAYQUEST_TEST_RESULTS';

/** The file that was running when an error reached nobody; Vitest writes it on the error. */
const fileOf = (error: SerializedError): string | undefined => {
  const path: unknown = error.VITEST_TEST_PATH;
  return typeof path === 'string' ? path : undefined;
};

/** What a run found in one file. */
function fileResult(module: TestModule): FileResult {
  const count = (state: 'passed' | 'failed' | 'skipped') => [...module.children.allTests(state)].length;
  const failed = count('failed');
  return {
    path: module.moduleId,
    project: module.project.name,
    passed: count('passed'),
    failed: failed === 0 && module.state() === 'failed' ? 1 : failed,
    skipped: count('skipped'),
  };
}

/** What a run found in its files; errors that nobody caught count as a failure of the file that was running. */
function fileResults(modules: readonly TestModule[], unhandled: readonly SerializedError[]): FileResult[] {
  const results = modules.map(fileResult);
  for (const error of unhandled) {
    const result = results.find(({ path }) => path === fileOf(error));
    if (result) result.failed += 1;
    else
      results.push({
        path: fileOf(error) ?? 'outside of any test file',
        project: '',
        passed: 0,
        failed: 1,
        skipped: 0,
      });
  }
  return results;
}

/** The line that continuous integration reads. */
export const closingLineOf = (results: readonly FileResult[]): string => {
  const sum = (count: 'passed' | 'failed' | 'skipped') =>
    results.reduce((total, result) => total + result[count], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`;
};

/** Ends a run with the line that continuous integration reads, or hands its results to the runner. */
export default class ClosingLine implements Reporter {
  readonly #file = process.env[resultsFileVariable];
  /** By project and path. A file that has not ended counts as failed, should the run be ended at its time limit. */
  readonly #resultsSoFar = new Map<string, FileResult>();

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const { moduleId: path, project } of specifications)
      this.#add({ path, project: project.name, passed: 0, failed: 1, skipped: 0 });
    this.#write([...this.#resultsSoFar.values()]);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#add(fileResult(module));
    this.#write([...this.#resultsSoFar.values()]);
  }

  #add(result: FileResult): void {
    this.#resultsSoFar.set(`${result.project}\n${result.path}`, result);
  }

  #write(results: readonly FileResult[]): void {
    if (this.#file) writeFileSync(this.#file, JSON.stringify(results));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const results = fileResults(modules, unhandled);
    if (this.#file) {
      this.#write(results);
      return;
    }
    // At the very end, after Vitest's own summary.
    process.once('exit', () => {
      writeSync(1, `${closingLineOf(results)}\n`);
    });
  }
}
