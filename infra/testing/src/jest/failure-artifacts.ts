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

/** What explains a failed test file. */
export interface Artifacts {
  /** Log lines by part. */
  logs: Iterable<readonly [part: string, lines: readonly string[]]>;
  /** Functions that describe the open pages. */
  describePages: Iterable<() => Promise<string>>;
  /** Functions that save a browser's trace to a file. */
  saveTraces: Iterable<(file: string) => Promise<void>>;
}

/**
 * Saves what explains a failed test file.
 *
 * @param testPath - The test file.
 */
export async function saveArtifacts(
  testPath: string,
  { logs, describePages, saveTraces }: Artifacts,
): Promise<void> {
  const folder = join(artifactsDirectory(), relative(process.cwd(), testPath).replaceAll('/', '-'));
  mkdirSync(folder, { recursive: true });
  for (const [part, lines] of logs) writeFileSync(join(folder, `${part}.log`), `${lines.join('\n')}\n`);
  // A closed browser has neither pages nor traces, and must not hide the failure of the test.
  await Promise.allSettled(
    [...describePages].map(async (describe, index) =>
      writeFileSync(join(folder, `page-${index + 1}.txt`), await describe()),
    ),
  );
  await Promise.allSettled(
    [...saveTraces].map((save, index) => save(join(folder, `trace-${index + 1}.zip`))),
  );
}
