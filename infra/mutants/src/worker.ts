import { pathToFileURL } from 'node:url';
import { addEventHandler } from 'jest-circus';
import { runFile } from '../../testing/src/jest/circus.ts';
import { onStore } from '../../testing/src/store.ts';

/** A suite to run, with or without a mutant. */
export interface Task {
  suite: string;
  mutant?: number;
}

export interface Outcome {
  /** The first failed test. */
  failed?: string;
  /** The mutants whose code was reached. */
  covered: number[];
}

let active: number | undefined;
let failed: string | undefined;
let count = 0;
const covered = new Set<number>();

Object.assign(globalThis, {
  mutant(id: number) {
    covered.add(id);
    return id === active;
  },
});

addEventHandler((event) => {
  if (event.name === 'test_fn_failure') failed ??= event.test.name;
  if (event.name === 'hook_failure') failed ??= `${event.hook.type} hook`;
  // The first failure is sufficient.
  if (event.name === 'test_start' && failed !== undefined) event.test.mode = 'skip';
});

await onStore('embedded-store');

process.on('message', async ({ suite, mutant }: Task) => {
  [active, failed] = [mutant, undefined];
  covered.clear();
  count += 1;
  try {
    // Imported as another module each time; its imports are cached.
    const { unhandledErrors } = await runFile(`${pathToFileURL(suite)}?run=${count}`, {
      // As in test runs: the limit of the whole suite ends one that hangs.
      testTimeoutMs: 120_000,
      maxConcurrency: 1,
    });
    if (unhandledErrors.length) failed ??= 'an error that nobody caught';
  } catch (error) {
    failed ??= `could not be loaded: ${error}`;
  }
  active = undefined;
  process.send?.({ ...(failed !== undefined && { failed }), covered: [...covered] } satisfies Outcome);
});
process.send?.('ready');
// The parent process has exited.
process.on('disconnect', () => process.exit());
