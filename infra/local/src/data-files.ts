import { readFile, rename, writeFile } from 'node:fs/promises';

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Returns the text of a file; undefined if it does not exist. */
export const contentOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/** Writes a file that only its owner can read, to another one first: an interrupted start must not leave half of it. */
export async function writeContent(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
