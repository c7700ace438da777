import { wholeNumber } from '@wayquest/platform/process';
import { type Cleanup, createCleanup } from '@wayquest/testing/backing-services';

export const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** A setting with a positive integer. */
export const positiveInteger = (defaultValue: number) => wholeNumber({ min: 1 }).default(defaultValue);

/** Stops everything at the end of a command, also after an error. */
export function cleanUpAtExit(): Cleanup {
  const cleanup = createCleanup();
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.stack}\n`);
    void cleanup.exit(1);
  });
  return cleanup;
}
