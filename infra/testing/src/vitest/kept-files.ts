import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Set for the second try of a test file: browsers record traces then, which would be too slow for every run. */
export const traceVariable = 'WAYQUEST_TEST_TRACE';

/** The folder of what explains failures: `test-results/<run>`, or as the environment says. */
const keptDirectory = (): string =>
  resolve(process.env.WAYQUEST_TEST_KEPT || join('test-results', process.env.WAYQUEST_TEST_RUN || 'other'));

/** Deletes the files of an earlier run. */
export const dropKept = (): void => rmSync(keptDirectory(), { recursive: true, force: true });

/** The folders of test files with kept files, relative to the current one. */
export function keptFolders(): string[] {
  const directory = keptDirectory();
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return names.map((name) => relative(process.cwd(), join(directory, name)));
}

/**
 * Keeps what explains a failure of a test file.
 *
 * @param testPath - The test file.
 * @param logs - Log lines by part.
 * @param saveTraces - Functions that save a browser's trace to a file.
 */
export async function keepFailure(
  testPath: string,
  logs: Iterable<readonly [part: string, lines: readonly string[]]>,
  saveTraces: Iterable<(file: string) => Promise<void>>,
): Promise<void> {
  const folder = join(keptDirectory(), relative(process.cwd(), testPath).replaceAll('/', '-'));
  mkdirSync(folder, { recursive: true });
  for (const [part, lines] of logs) writeFileSync(join(folder, `${part}.log`), `${lines.join('\n')}\n`);
  let count = 0;
  // A closed browser has no trace, and must not hide the failure of the test.
  await Promise.allSettled([...saveTraces].map((save) => save(join(folder, `trace-${++count}.zip`))));
}
