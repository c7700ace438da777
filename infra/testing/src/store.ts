import type { BackingKind } from './backing/backing-service.ts';
import { backing } from './backing.ts';

const variable = 'WAYQUEST_TEST_MONGO_URL';

/**
 * Puts the suites of a test file on one store: the product has to work on each. Without that store here, they are
 * skipped, and counted as skipped.
 */
export async function onStore(kind: Extract<BackingKind, 'mongodb' | 'embedded-store'>): Promise<void> {
  const url = await backing(kind);
  if (url) process.env[variable] = url;
  else Object.assign(globalThis, { describe: describe.skip, test: test.skip, it: test.skip });
}

/** The URL of the store that this test file was given, in a run of ours. */
export const givenStoreUrl = (): string | undefined => process.env[variable];

/** The URL of the store that this test file is to use. */
export function storeUrl(): string {
  const url = givenStoreUrl();
  if (!url) throw new Error('this test file was given no store');
  return url;
}
