import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { useShared } from './backing.ts';
import { eventually } from './eventually.ts';
import { traceVariable } from './vitest/kept-files.ts';

/**
 * Features of Chromium that tests disable: parts of its address bar are pages that cost more than most of ours, for
 * each window. Of two such lists the last one counts, so it repeats that of Playwright.
 */
const disabledFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

/** Chromium without background requests and privileges. */
const quiet = [
  `--disable-features=${disabledFeatures.join()}`,
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

declare global {
  /** Functions that save the traces of this test file's browsers, each to a file. */
  var wayquestTraces: Set<(file: string) => Promise<void>> | undefined;
}

/** Records everything that a browser's pages do, for failed tests. */
async function record(context: BrowserContext): Promise<void> {
  globalThis.wayquestTraces ??= new Set();
  const traces = globalThis.wayquestTraces;
  await context.tracing.start({ screenshots: true, snapshots: true });
  const save = (path: string) => context.tracing.stop({ path });
  traces.add(save);
  context.once('close', () => traces.delete(save));
}

/** A visitor with a browser context of their own. */
export interface Visitor {
  page: Page;
  /** Errors in the console, and uncaught errors. */
  consoleErrors: string[];
}

/** A running Chromium. */
export interface TestBrowser {
  visitor(options?: BrowserContextOptions): Promise<Visitor>;
  close(): Promise<void>;
}

/**
 * Whether a page lost a request because containers of other suites started or stopped: for Chromium that is another
 * network.
 */
export const isOfTheMachine = (reason: string): boolean => reason.includes('ERR_NETWORK_CHANGED');

/**
 * Reports a page's console messages by type, and its uncaught errors. Ignores requests that were lost with the
 * machine's network, which the app or Chromium repeats, and the blocked service worker.
 */
export function listenTo(page: Page, tell: (text: string, type: string) => void): void {
  let isPartLost = false;
  page.on('requestfailed', (request) => {
    isPartLost ||= isOfTheMachine(request.failure()?.errorText ?? '');
  });
  const isOurs = (text: string) =>
    !isOfTheMachine(text) &&
    !text.includes('blocked by Playwright') &&
    !(isPartLost && /preload|dynamically imported/.test(text));
  page.on('console', (message) => {
    if (isOurs(message.text())) tell(message.text(), message.type());
  });
  page.on('pageerror', (error) => {
    if (isOurs(error.message)) tell(String(error), 'pageerror');
  });
}

/** Loads a page again if the machine's network changed in between, or if the app reloaded itself because of that. */
function makeSteady(page: Page): void {
  const steady = <T>(load: () => Promise<T>) =>
    load().catch((error) => {
      if (!isOfTheMachine(String(error)) && !String(error).includes('ERR_ABORTED')) throw error;
      return load();
    });
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = (...given) => steady(() => goto(...given));
  page.reload = (...given) => steady(() => reload(...given));
}

/**
 * Presses a key on a focused element. Playwright's `press` only waits until the element exists: a button that is
 * rendered but not hydrated, or still disabled, would ignore the key.
 */
export async function pressOn(target: Locator, key = 'Enter'): Promise<void> {
  await eventually(async () => {
    await target.focus();
    return target.evaluate((element) => element === element.ownerDocument.activeElement);
  });
  await target.page().keyboard.press(key);
}

/** Starts a browser for visitors of this address. The suite must use `describeWith` of the same kind. */
export const openBrowser = async (
  baseURL: string,
  kind: 'chromium' | 'full-chromium' = 'chromium',
): Promise<TestBrowser> => openChromium(await useShared(kind), baseURL);

/** Starts this Chromium for visitors of this address, outside a suite. */
export async function openChromium(executablePath: string, baseURL: string): Promise<TestBrowser> {
  // Imported late: suites without a browser save half a second.
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: quiet });
  return {
    async visitor(options = {}) {
      const context = await browser.newContext({
        baseURL,
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
        // Routes of a test do not see the requests of a service worker.
        serviceWorkers: 'block',
        ...options,
      });
      if (process.env[traceVariable]) await record(context);
      context.setDefaultTimeout(45_000);
      context.on('page', makeSteady);
      const page = await context.newPage();
      const consoleErrors: string[] = [];
      listenTo(page, (text, type) => {
        if (type.endsWith('error')) consoleErrors.push(text);
      });
      return { page, consoleErrors };
    },
    close: () => browser.close(),
  };
}
