import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** The state that `maps-script.js` records and reads. */
export interface FakeGoogle {
  loads: Record<string, string>[];
  maps: { options: google.maps.MapOptions }[];
  requests: { endpoint: string; request: unknown }[];
  failures: Record<string, string>;
  hasNoAddress: boolean;
  rejectsKey: boolean;
}

declare global {
  var fakeGoogle: FakeGoogle;
}

const script = fileURLToPath(new URL('./maps-script.js', import.meta.url));

const pixel = Buffer.from('R0lGODlhAQABAIAAAJV6wQAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** Serves the fake script to a page, with an initial state. Tests may change `reachable` at any time. */
export async function serveGoogle(page: Page, initialState: Partial<FakeGoogle> = {}) {
  const google = { reachable: true, loads: 0 };
  await page.addInitScript((state) => {
    Object.assign(globalThis, { fakeGoogle: JSON.parse(state) });
  }, JSON.stringify(initialState));
  await page.route('https://*.googleapis.com/**', async (route) => {
    google.loads += 1;
    if (!google.reachable) return route.abort();
    await route.fulfill({ contentType: 'text/javascript', body: await readFile(script, 'utf8') });
  });
  await page.route('https://*.googleusercontent.com/**', (route) =>
    route.fulfill({ contentType: 'image/gif', body: pixel }),
  );
  return google;
}

/** Returns the requests that the fake in a page has received so far. */
export const requestsOf = (page: Page) => page.evaluate(() => globalThis.fakeGoogle.requests);
