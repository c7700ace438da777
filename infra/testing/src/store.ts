import type { BackingKind } from './backing/backing-service.ts';
import { findBackingAddress } from './backing.ts';

const variable = 'WAYQUEST_TEST_MONGO_URL';

/**
 * Runs the suites of a test file on one kind of store: the product has to work on each. If this machine has none, they
 * are skipped, and counted as skipped.
 */
export async function onStore(kind: Extract<BackingKind, 'mongodb' | 'embedded-store'>): Promise<void> {
  const url = await findBackingAddress(kind);
  if (url) process.env[variable] = url;
  else Object.assign(globalThis, { describe: describe.skip, test: test.skip, it: test.skip });
}

/** Returns the store's URL that the test run set for this test file; undefined outside of a run. */
export const assignedStoreUrl = (): string | undefined => process.env[variable];

/** Returns the URL of the store that this test file uses. */
export function storeUrl(): string {
  const url = assignedStoreUrl();
  if (!url) throw new Error('no store is configured: run the tests with `npm run test:run`');
  return url;
}
