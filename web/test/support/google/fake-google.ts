import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** What `maps-script.js` tells, and takes; see there. */
export interface FakeGoogle {
  loads: Record<string, string>[];
  maps: { options: google.maps.MapOptions }[];
  asked: { endpoint: string; request: unknown }[];
  failures: Record<string, string>;
  nowhere: boolean;
  refusesKey: boolean;
}

declare global {
  var fakeGoogle: FakeGoogle;
}

const script = fileURLToPath(new URL('./maps-script.js', import.meta.url));

const pixel = Buffer.from('R0lGODlhAQABAIAAAJV6wQAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** Answers for Google to a page, with the stand-in as it shall begin. Whether it can be had may change at any time. */
export async function serveGoogle(page: Page, beginning: Partial<FakeGoogle> = {}) {
  const google = { reachable: true, loads: 0 };
  await page.addInitScript((state) => {
    Object.assign(globalThis, { fakeGoogle: JSON.parse(state) });
  }, JSON.stringify(beginning));
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

/** What the stand-in in a page has been asked so far. */
export const askedOf = (page: Page) => page.evaluate(() => globalThis.fakeGoogle.asked);
