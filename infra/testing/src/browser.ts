import type { BrowserContext, BrowserContextOptions, ConsoleMessage, Locator, Page } from 'playwright-core';
import { useShared } from './backing.ts';
import { eventually } from './eventually.ts';
import { traceVariable } from './jest/failure-artifacts.ts';
import { initialPageOptions, PagePool } from './page-pool.ts';

/**
 * Features of Chromium that tests disable: parts of its address bar are pages, which cost time in each window. Chromium
 * only reads the last of two such lists, so this one repeats Playwright's.
 */
const disabledFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

/** Disables Chromium's background requests and its sandbox. */
const chromiumFlags = [
  `--disable-features=${disabledFeatures.join()}`,
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Makes each document of a page transparent, since tests do not look at its pixels: drawing them without a graphics
 * processor takes a third of Chromium's processor time. Layout, events and what Playwright calls visible stay the same.
 */
const makeTransparent = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { opacity: 0 }');
  document.adoptedStyleSheets.push(sheet);
  globalThis.wayquestTransparency = sheet;
}`;

/**
 * Shows the document of a page in a test, for checks that consider opacity. The page's next document is transparent
 * again.
 */
export const showDocument = (page: Page): Promise<unknown> =>
  page.evaluate('if (globalThis.wayquestTransparency) wayquestTransparency.disabled = true');

declare global {
  /** Functions that describe the open pages of this test file, for a test that failed. */
  var wayquestPages: Set<() => Promise<string>> | undefined;
  /** Functions that save the traces of this test file's browsers, each to a file. */
  var wayquestTraces: Set<(file: string) => Promise<void>> | undefined;
  /** Functions that release the pages of the running test, called by the test runner; undefined outside a test. */
  var wayquestVisitors: Set<() => Promise<void>> | undefined;
}

/** Records a Playwright trace of a browser context, for failed tests. */
async function startTracing(context: BrowserContext): Promise<void> {
  globalThis.wayquestTraces ??= new Set();
  const traces = globalThis.wayquestTraces;
  await context.tracing.start({ screenshots: true, snapshots: true });
  const save = (path: string) => context.tracing.stop({ path });
  traces.add(save);
  context.once('close', () => traces.delete(save));
}

/** How many messages and failed requests of a page are kept. */
const maxNotes = 50;

/**
 * Keeps what explains a page in a failed test: its messages and failed requests, and its state at the end.
 *
 * @returns A function that forgets the page.
 */
function recordPage(page: Page): () => void {
  const notes: string[] = [];
  const note = (text: string) => {
    notes.push(text);
    if (notes.length > maxNotes) notes.shift();
  };
  page.on('console', (message) => note(`console ${message.type()}: ${message.text()}`));
  page.on('requestfailed', (request) =>
    note(`failed: ${request.method()} ${request.url()}: ${request.failure()?.errorText}`),
  );
  const describe = async () => {
    const focused = await page.evaluate<string>('document.activeElement?.outerHTML.slice(0, 300)');
    const content = await page.locator('body').ariaSnapshot({ timeout: 5_000 });
    return [page.url(), `focused: ${focused}`, ...notes, '', content, ''].join('\n');
  };
  globalThis.wayquestPages ??= new Set();
  const pages = globalThis.wayquestPages;
  pages.add(describe);
  const forget = () => {
    pages.delete(describe);
    page.off('close', forget);
  };
  page.on('close', forget);
  return forget;
}

/** A page in its own browser context. */
export interface Visitor {
  page: Page;
  /** Errors in the console, and uncaught errors. */
  consoleErrors: string[];
}

/** How a visitor's page is opened. */
export interface VisitorOptions extends BrowserContextOptions {
  /** The token of a user who is logged in. */
  token?: string;
}

/** A running Chromium. */
export interface TestBrowser {
  /**
   * Opens a page without cookies and stored data. One that is opened in a test must not be used after it: it is given to
   * a later test, or closed.
   */
  visitor(options?: VisitorOptions): Promise<Visitor>;
  close(): Promise<void>;
}

/**
 * Whether a request failed because the machine's network changed, as it does when containers of other suites start or
 * stop.
 */
export const isNetworkChange = (reason: string): boolean => reason.includes('ERR_NETWORK_CHANGED');

/**
 * Reports a page's console messages and uncaught errors. Ignores requests that failed because the machine's network
 * changed, since the app or Chromium repeats them, and messages about the blocked service worker.
 *
 * @param report - Called with the text and its type; `pageerror` for an uncaught error.
 */
export function watchConsole(page: Page, report: (text: string, type: string) => void): void {
  let hasLostRequest = false;
  page.on('requestfailed', (request) => {
    hasLostRequest ||= isNetworkChange(request.failure()?.errorText ?? '');
  });
  const isRelevant = (text: string) =>
    !isNetworkChange(text) &&
    !text.includes('blocked by Playwright') &&
    !(hasLostRequest && /preload|dynamically imported/.test(text));
  page.on('console', (message) => {
    if (isRelevant(message.text())) report(describeMessage(message), message.type());
  });
  page.on('pageerror', (error) => {
    if (isRelevant(error.message)) report(String(error), 'pageerror');
  });
}

/** A message's text, with the address of a resource that failed to load, which the text leaves out. */
const describeMessage = (message: ConsoleMessage) =>
  message.text().startsWith('Failed to load resource')
    ? `${message.text()}: ${message.location().url}`
    : message.text();

/** Repeats a navigation if the machine's network changed during it, or if the app reloaded itself because of that. */
function retryOnNetworkChange(page: Page): void {
  const withRetry = <T>(load: () => Promise<T>) =>
    load().catch((error) => {
      if (!isNetworkChange(String(error)) && !String(error).includes('ERR_ABORTED')) throw error;
      return load();
    });
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = (...args) => withRetry(() => goto(...args));
  page.reload = (...args) => withRetry(() => reload(...args));
}

/**
 * Presses a key on a focused element. Playwright's `press` only waits until the element exists: a button that is
 * rendered but not hydrated, or still disabled, would ignore the key.
 */
export async function pressKey(target: Locator, key = 'Enter'): Promise<void> {
  await eventually(async () => {
    await target.focus();
    return target.evaluate((element) => element === element.ownerDocument.activeElement);
  });
  await target.page().keyboard.press(key);
}

/**
 * Starts a browser for visitors of this address.
 *
 * @param options - `kind`: the suite must use `describeWith` of the same kind; `isTransparent`: whether documents are
 * transparent until `showDocument`.
 */
export const openBrowser = async (
  baseURL: string,
  {
    kind = 'chromium',
    isTransparent = true,
  }: { kind?: 'chromium' | 'full-chromium'; isTransparent?: boolean } = {},
): Promise<TestBrowser> => openChromium(await useShared(kind), baseURL, { isTransparent });

/** Starts this Chromium for visitors of this address, outside a suite. */
export async function openChromium(
  executablePath: string,
  baseURL: string,
  { isTransparent = false } = {},
): Promise<TestBrowser> {
  // Imported only when needed, since it takes half a second.
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  const isTracing = Boolean(process.env[traceVariable]);
  const pool = new PagePool(async (options) => {
    const context = await browser.newContext({
      baseURL,
      ...initialPageOptions,
      // Playwright's routes do not intercept the requests of a service worker.
      serviceWorkers: 'block',
      ...options,
    });
    // A trace contains screenshots.
    if (isTracing) await startTracing(context);
    else if (isTransparent) await context.addInitScript({ content: makeTransparent });
    context.setDefaultTimeout(45_000);
    context.on('page', retryOnNetworkChange);
    return context.newPage();
  }, baseURL);
  return {
    async visitor({ token, ...options } = {}) {
      const { page, release } = await pool.open(options, token);
      const forget = recordPage(page);
      globalThis.wayquestVisitors?.add(async () => {
        forget();
        // A trace belongs to one test.
        await (isTracing ? page.context().close() : release());
      });
      const consoleErrors: string[] = [];
      watchConsole(page, (text, type) => {
        if (type.endsWith('error')) consoleErrors.push(text);
      });
      return { page, consoleErrors };
    },
    close: () => browser.close(),
  };
}
