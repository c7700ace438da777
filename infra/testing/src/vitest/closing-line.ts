import { writeFileSync, writeSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, TestSpecification } from 'vitest/node';

/** The results of a test file. */
export interface FileResult {
  path: string;
  /** The project's name: a file can run in several. */
  project: string;
  passed: number;
  /** A file that could not run counts as one failed test. */
  failed: number;
  skipped: number;
}

/** Identifies a file in a project. */
export const keyOf = ({ path, project }: Pick<FileResult, 'path' | 'project'>): string =>
  `${project}\n${path}`;

/** The file that results are written to, for a caller that prints the closing line itself. */
export const resultsFileVariable = 'WAYQUEST_TEST_RESULTS';

/** The file that was running when an error was not caught; Vitest adds it to the error. */
const fileOf = (error: SerializedError): string | undefined => {
  const path: unknown = error.VITEST_TEST_PATH;
  return typeof path === 'string' ? path : undefined;
};

/** Returns the results of a file. */
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

/** Returns the results of all files; uncaught errors count as a failure of the file that was running. */
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

/** The line that continuous integration parses. */
export const closingLineOf = (results: readonly FileResult[]): string => {
  const sum = (count: 'passed' | 'failed' | 'skipped') =>
    results.reduce((total, result) => total + result[count], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`;
};

/** Prints the closing line of a run, or passes its results to the caller. */
export default class ClosingLine implements Reporter {
  readonly #file = process.env[resultsFileVariable];
  /** Results by `keyOf`. A file without results counts as failed if the run ends at its time limit. */
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
    this.#resultsSoFar.set(keyOf(result), result);
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
