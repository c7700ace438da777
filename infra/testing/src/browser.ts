import type { BrowserContextOptions, Page } from 'playwright-core';
import { needBacking } from './backing.ts';

/** Chromium asks nobody anything and needs no privileges. */
const quiet = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Somebody in a browser of their own: nothing is shared with other visitors. */
export interface Visitor {
  page: Page;
  /** What the page complained of: errors in the console and errors that nobody caught. */
  complaints: string[];
}

/** A running Chromium. */
export interface TestBrowser {
  visitor(options?: BrowserContextOptions): Promise<Visitor>;
  close(): Promise<void>;
}

/**
 * Containers of other suites come and go: to Chromium that is another network, and it asks again. And it says so where a
 * test wants no service worker.
 */
export const isOfTheMachine = (complaint: string): boolean =>
  complaint.includes('ERR_NETWORK_CHANGED') || complaint.includes('blocked by Playwright');

/** Starts Chromium for visitors of this address. The suite has to be `describeWith('chromium')`. */
export const openBrowser = async (baseURL: string): Promise<TestBrowser> =>
  openChromium(await needBacking('chromium'), baseURL);

/** Starts this Chromium for visitors of this address, where no suite runs. */
export async function openChromium(executablePath: string, baseURL: string): Promise<TestBrowser> {
  // Half a second, which suites without a browser spare.
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: quiet });
  return {
    async visitor(options = {}) {
      const context = await browser.newContext({
        baseURL,
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
        // What a worker fetches no route of a test is asked for.
        serviceWorkers: 'block',
        ...options,
      });
      context.setDefaultTimeout(20_000);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && !isOfTheMachine(message.text())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      return { page, complaints };
    },
    close: () => browser.close(),
  };
}
