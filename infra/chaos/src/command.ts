import { wholeNumber } from '@wayquest/platform/process';
import { type Cleanup, cleanUpBeforeTheEnd } from '@wayquest/testing/backing-services';

export const say = (sentence: string): void => {
  process.stdout.write(`${sentence}\n`);
};

/** A setting that says how many. */
export const count = (usual: number) => wholeNumber({ min: 1 }).default(usual);

/** Stops what was started at the end of a command, whatever goes wrong. */
export function cleanUpWhateverGoesWrong(): Cleanup {
  const cleanup = cleanUpBeforeTheEnd();
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.stack}\n`);
    void cleanup.end(1);
  });
  return cleanup;
}
