import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { needBacking } from './backing.ts';
import { eventually } from './eventually.ts';
import { traceVariable } from './vitest/kept-files.ts';

/**
 * What Chromium does without: the parts of its own address bar, which are pages that cost more than most of ours, with each
 * window anew. Of two such lists the last one counts, so all that Playwright's names stands here too.
 */
const disabledFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

/** Chromium asks nobody anything and needs no privileges. */
const quiet = [
  `--disable-features=${disabledFeatures.join()}`,
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

declare global {
  /** Save what the browsers of this test file recorded, each to a file. */
  var wayquestTraces: Set<(file: string) => Promise<void>> | undefined;
}

/** Records all that a browser's pages do, for when a test fails. */
async function record(context: BrowserContext): Promise<void> {
  globalThis.wayquestTraces ??= new Set();
  const traces = globalThis.wayquestTraces;
  await context.tracing.start({ screenshots: true, snapshots: true });
  const save = (path: string) => context.tracing.stop({ path });
  traces.add(save);
  context.once('close', () => traces.delete(save));
}

/** Somebody in a browser of their own: nothing is shared with other visitors. */
export interface Visitor {
  page: Page;
  /** What the page complained of: errors in the console and errors that nobody caught. */
  consoleErrors: string[];
}

/** A running Chromium. */
export interface TestBrowser {
  visitor(options?: BrowserContextOptions): Promise<Visitor>;
  close(): Promise<void>;
}

/** Whether a page lost something since containers of other suites come and go: to Chromium that is another network. */
export const isOfTheMachine = (reason: string): boolean => reason.includes('ERR_NETWORK_CHANGED');

/**
 * Tells what a page says in its console, by its type, and of errors that nobody caught. Not of what the machine's network
 * lost on the way, which the app or Chromium asks for again, nor of the service worker that a test does without.
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

/** Loads a page once more where the machine's network changed on the way, or the app loaded itself anew because of that. */
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
 * Presses a key on what somebody has come to by keyboard. Playwright's own `press` waits only until it is there: on a
 * button that is but drawn as yet, or is disabled still, the key would be lost.
 */
export async function pressOn(target: Locator, key = 'Enter'): Promise<void> {
  await eventually(async () => {
    await target.focus();
    return target.evaluate((element) => element === element.ownerDocument.activeElement);
  });
  await target.page().keyboard.press(key);
}

/** Starts a browser for visitors of this address. The suite has to be `describeWith` the same kind. */
export const openBrowser = async (
  baseURL: string,
  kind: 'chromium' | 'full-chromium' = 'chromium',
): Promise<TestBrowser> => openChromium(await needBacking(kind), baseURL);

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
