import type { BackingKind } from './backing/backing-service.ts';
import { backing } from './backing.ts';

const variable = 'WAYQUEST_TEST_MONGO_URL';

/**
 * Runs the suites of a test file on one kind of store: the product has to work on each. If this machine has none, they
 * are skipped, and counted as skipped.
 */
export async function onStore(kind: Extract<BackingKind, 'mongodb' | 'embedded-store'>): Promise<void> {
  const url = await backing(kind);
  if (url) process.env[variable] = url;
  else Object.assign(globalThis, { describe: describe.skip, test: test.skip, it: test.skip });
}

/** The URL of the store that a run of ours gave to this test file. */
export const givenStoreUrl = (): string | undefined => process.env[variable];

/** The URL of the store that this test file uses. */
export function storeUrl(): string {
  const url = givenStoreUrl();
  if (!url) throw new Error('this test file was given no store');
  return url;
}
