import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file of lines of JSON, apart from the log of all calls, in which they would soon be rotated away. */
export interface SecurityLog {
  /** Appends a line before it returns. Throws if the file cannot be written. */
  write(line: object): void;
}

/** Size of a file, in bytes, and how many are kept: the current one and those before it. */
const defaultSize = { maxBytes: 10_000_000, maxFiles: 10 };

/**
 * Opens a log of security events.
 *
 * @param directory - Created if it does not exist.
 * @param name - The program: its file is `<name>.log`, the one before it `<name>.log.1`, and so on. Several processes can write to it.
 * @param size - Size of a file in bytes, and number of files.
 */
export function createSecurityLog(
  directory: string,
  name: string,
  { maxBytes, maxFiles } = defaultSize,
): SecurityLog {
  const file = join(directory, `${name}.log`);
  const former = (number: number) => (number === 0 ? file : `${file}.${number}`);

  const rotate = () => {
    for (let number = maxFiles - 2; number >= 0; number--)
      if (existsSync(former(number))) renameSync(former(number), former(number + 1));
  };

  return {
    write(line) {
      mkdirSync(directory, { recursive: true });
      // Of the file, not of what this process wrote: another one may have rotated it.
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= maxBytes) rotate();
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    },
  };
}
