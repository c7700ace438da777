import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Set for the second try of a test file: browsers only record traces then, since that is slow. */
export const traceVariable = 'WAYQUEST_TEST_TRACE';

/** Folder for logs and traces of failed tests: `WAYQUEST_TEST_KEPT`, or else `test-results/<run>`. */
const artifactsDirectory = (): string =>
  resolve(process.env.WAYQUEST_TEST_KEPT || join('test-results', process.env.WAYQUEST_TEST_RUN || 'other'));

/** Deletes the logs and traces of an earlier run. */
export const deleteArtifacts = (): void => rmSync(artifactsDirectory(), { recursive: true, force: true });

/** Returns the folders with logs and traces, one for each failed test file, relative to the working directory. */
export function artifactFolders(): string[] {
  const directory = artifactsDirectory();
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return names.map((name) => relative(process.cwd(), join(directory, name)));
}

/**
 * Saves the logs and traces of a failed test file.
 *
 * @param testPath - The test file.
 * @param logs - Log lines by part.
 * @param saveTraces - Functions that save a browser's trace to a file.
 */
export async function saveArtifacts(
  testPath: string,
  logs: Iterable<readonly [part: string, lines: readonly string[]]>,
  saveTraces: Iterable<(file: string) => Promise<void>>,
): Promise<void> {
  const folder = join(artifactsDirectory(), relative(process.cwd(), testPath).replaceAll('/', '-'));
  mkdirSync(folder, { recursive: true });
  for (const [part, lines] of logs) writeFileSync(join(folder, `${part}.log`), `${lines.join('\n')}\n`);
  let count = 0;
  // A closed browser has no trace, and must not hide the failure of the test.
  await Promise.allSettled([...saveTraces].map((save) => save(join(folder, `trace-${++count}.zip`))));
}
