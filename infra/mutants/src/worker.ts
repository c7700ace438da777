import { pathToFileURL } from 'node:url';
import { expect } from 'expect';
import {
  addEventHandler,
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  it,
  resetState,
  run,
  test,
} from 'jest-circus';
import { cleanUpAfterFile } from '../../testing/src/backing.ts';
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

Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test });
/** Registered in the running test, as Vitest's function of this name does. */
const cleanUps: (() => unknown)[] = [];
const onTestFinished = (cleanUp: () => unknown) => cleanUps.push(cleanUp);

Object.assign(globalThis, {
  onTestFinished,
  [Symbol.for('TEST_TIMEOUT_SYMBOL')]: 30_000,
  mutant(id: number) {
    covered.add(id);
    return id === active;
  },
});

addEventHandler(async (event) => {
  if (event.name === 'test_fn_failure') failed ??= event.test.name;
  if (event.name === 'hook_failure') failed ??= `${event.hook.type} hook`;
  if (event.name === 'test_done') for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  // The first failure is sufficient.
  if (event.name === 'test_start' && failed !== undefined) event.test.mode = 'skip';
});

await onStore('embedded-store');

process.on('message', async ({ suite, mutant }: Task) => {
  [active, failed] = [mutant, undefined];
  covered.clear();
  resetState();
  count += 1;
  try {
    // Imported as another module each time; its imports are cached.
    await import(`${pathToFileURL(suite)}?run=${count}`);
    const { unhandledErrors } = await run();
    if (unhandledErrors.length) failed ??= 'an error that nobody caught';
    await cleanUpAfterFile();
  } catch (error) {
    failed ??= `could not be loaded: ${error}`;
  }
  active = undefined;
  process.send?.({ ...(failed !== undefined && { failed }), covered: [...covered] } satisfies Outcome);
});
process.send?.('ready');
// The parent process has exited.
process.on('disconnect', () => process.exit());
