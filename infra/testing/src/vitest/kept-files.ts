import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Set for a test file's second try: browsers record then what they do, which takes too long for every run. */
export const traceVariable = 'WAYQUEST_TEST_TRACE';

/** Where a run keeps what explains its failures: `test-results/<run>`, or what the environment says. */
const keptDirectory = (): string =>
  resolve(process.env.WAYQUEST_TEST_KEPT || join('test-results', process.env.WAYQUEST_TEST_RUN || 'other'));

/** Removes what an earlier run kept. */
export const dropKept = (): void => rmSync(keptDirectory(), { recursive: true, force: true });

/** The folders of test files that something is kept of, from here. */
export function keptFolders(): string[] {
  const directory = keptDirectory();
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return names.map((name) => relative(process.cwd(), join(directory, name)));
}

/**
 * Keeps what explains a failure in a test file.
 *
 * @param testPath - The test file.
 * @param logs - The lines that each part has logged, by its name.
 * @param saveTraces - Write what a browser recorded to a file each.
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
  // A browser that is gone has nothing to save, and must not hide why the test failed.
  await Promise.allSettled([...saveTraces].map((save) => save(join(folder, `trace-${++count}.zip`))));
}
