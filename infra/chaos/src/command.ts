import { wholeNumber } from '@wayquest/platform/process';
import { type Cleanup, createCleanup } from '@wayquest/testing/backing-services';

export const printLine = (sentence: string): void => {
  process.stdout.write(`${sentence}\n`);
};

/** A setting for a number. */
export const count = (usual: number) => wholeNumber({ min: 1 }).default(usual);

/** Stops everything at the end of a command, also after an error. */
export function cleanUpAtExit(): Cleanup {
  const cleanup = createCleanup();
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.stack}\n`);
    void cleanup.exit(1);
  });
  return cleanup;
}
