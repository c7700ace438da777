import { wholeNumber } from '@wayquest/platform/process';
import { type Cleanup, cleanUpBeforeTheEnd } from '@wayquest/testing/backing-services';

export const say = (sentence: string): void => {
  process.stdout.write(`${sentence}\n`);
};

/** A setting for a number. */
export const count = (usual: number) => wholeNumber({ min: 1 }).default(usual);

/** Stops everything at the end of a command, also after an error. */
export function cleanUpWhateverGoesWrong(): Cleanup {
  const cleanup = cleanUpBeforeTheEnd();
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.stack}\n`);
    void cleanup.end(1);
  });
  return cleanup;
}
