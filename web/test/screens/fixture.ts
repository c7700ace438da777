import {
  exampleSiteFolder,
  isNetworkChange,
  type Network,
  newUser,
  type TestBrowser,
  watchConsole,
} from '@wayquest/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { startSite } from '../support/start-site.ts';
import type { DataSet, Role, Screen } from './matrix.ts';
import { type SeedData, type SeedSize, seedNetwork } from './seed.ts';

declare global {
  interface Window {
    /** Layout shifts while the page loaded: what moved, when and where, and the share of the window. */
    shifts: { value: number; what: string }[];
    /** Whether any element has had the focus. */
    hadFocus: boolean;
  }
}

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };
export const smallPhone = { width: 320, height: 640 };

/** The viewports and color schemes in which every screen is checked. */
export const viewports = [desktop, phone, smallPhone];
export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];
/** The languages that a browser requests. */
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];
export type Viewport = typeof desktop;

interface Site {
  network: Network;
  tokens: Partial<Record<Role, string>>;
  seed?: SeedData;
}

/** A screen that is open in a page. */
export interface OpenScreen {
  page: Page;
  /** Console messages that the screen does not expect, and uncaught errors. */
  consoleErrors: string[];
  /** Gives the page to the next screen, or closes it if the screen has changed more than can be reset. */
  close(): Promise<void>;
}

/** An empty and a seeded network, and a browser that opens the screens of the matrix. */
export interface ScreenFixture {
  /**
   * Opens a screen. Pages of the same role and language share a browser context, and one that is closed is used again: it
   * loads the app in half of the processor time.
   */
  open(screen: Screen, language: Language, viewport: Viewport): Promise<OpenScreen>;
  /** Reloads the screen in its page. */
  reload(page: Page, screen: Screen): Promise<void>;
  /** Returns the number of requests that failed because the machine's network changed. */
  lostRequests(): number;
  stop(): Promise<void>;
}

/** How long an action in a page may take, in milliseconds, while many pages are open. */
const timeoutMs = 60_000;

/** Google sign-in is offered, but never opened. The map's tiles fail, so that pages show the built-in map. */
const settings = {
  GOOGLE_CLIENT_ID: 'shown',
  GOOGLE_CLIENT_SECRET: 'shown',
  MAP_TILES_URL: 'https://tiles.invalid/{z}/{x}/{y}.png',
  SITE_FOLDER: exampleSiteFolder,
};

const start = (mongoUrl?: string) =>
  startSite({
    places: { preload: true },
    tiles: 'unreachable',
    settings,
    ...(mongoUrl && { mongo: mongoUrl }),
  });

async function startEmpty(mongoUrl?: string): Promise<Site> {
  const network = await start(mongoUrl);
  return { network, tokens: { newcomer: (await newUser(network, 'newcomer')).token } };
}

async function startFull(mongoUrl?: string, size?: SeedSize): Promise<Site> {
  const network = await start(mongoUrl);
  const seed = await seedNetwork(network, size);
  const newcomer = await newUser(network, 'newcomer');
  const admin = network.signToken({ sub: '900001', username: 'admin', admin: true });
  await network.client(admin).getMe();
  await network.settle();
  return { network, seed, tokens: { newcomer: newcomer.token, regular: seed.regular.token, admin } };
}

/** Starts the browser and the empty network when they are first needed; the full one is seeded meanwhile. */
export function startFixture(
  openBrowserFor: (url: string) => Promise<TestBrowser>,
  { mongoUrl, size }: { mongoUrl?: string; size?: SeedSize } = {},
): ScreenFixture {
  const full = startFull(mongoUrl, size);
  // Reported to each test that awaits it.
  full.catch(() => {});
  let empty: Promise<Site> | undefined;
  const siteWith = (dataSet: DataSet): Promise<Site> => {
    if (dataSet === 'full') return full;
    empty ??= startEmpty(mongoUrl);
    return empty;
  };
  let browser: Promise<TestBrowser> | undefined;
  const contexts = new Map<string, Promise<BrowserContext>>();
  let lostRequests = 0;

  const contextOf = ({ dataSet, role }: Screen, locale: Language, { network, tokens }: Site) => {
    const createContext = async () => {
      // By its name: at an address of numbers there are no passkeys.
      const baseURL = network.url.replace('127.0.0.1', 'localhost');
      browser ??= openBrowserFor(baseURL);
      const { page } = await (await browser).visitor({ baseURL, locale });
      const context = page.context();
      const token = tokens[role];
      if (token) await context.addInitScript((value) => localStorage.setItem('token', value), token);
      await context.addInitScript(recordLayoutShifts);
      await context.addInitScript(isolateLanguage);
      await context.addInitScript(() => {
        window.hadFocus = false;
        addEventListener('focusin', () => {
          window.hadFocus = true;
        });
      });
      await page.close();
      context.on('requestfailed', (request) => {
        if (isNetworkChange(request.failure()?.errorText ?? '')) lostRequests += 1;
      });
      context.setDefaultTimeout(timeoutMs);
      return context;
    };
    const key = `${dataSet} ${role} ${locale}`;
    const context = contexts.get(key) ?? createContext();
    contexts.set(key, context);
    return context;
  };

  const reload = async (page: Page, screen: Screen) => {
    const { seed } = await siteWith(screen.dataSet);
    const path = pathOf(screen, seed);
    // Changing only the fragment would not load the page again.
    if (path.includes('#')) await page.goto('/login');
    await page.goto(path);
    await waitUntilLoaded(page, screen.staysBusy);
  };
  const freePages = new Map<BrowserContext, Page[]>();
  const close = async (context: BrowserContext, screen: Screen, page: Page) => {
    if (screen.prepare || screen.act) return page.close();
    for (const event of ['console', 'pageerror', 'requestfailed'] as const) page.removeAllListeners(event);
    await page.emulateMedia({ colorScheme: 'light' });
    freePages.set(context, [...(freePages.get(context) ?? []), page]);
  };
  return {
    reload,
    lostRequests: () => lostRequests,
    async open(screen, language, viewport) {
      const context = await contextOf(screen, language, await siteWith(screen.dataSet));
      let page = freePages.get(context)?.pop();
      if (!page) {
        page = await context.newPage();
        await stubExternalRequests(page);
      }
      await page.setViewportSize(viewport);
      const consoleErrors = recordConsole(page, screen.expectedConsole);
      await screen.prepare?.(page);
      await reload(page, screen);
      return { page, consoleErrors, close: () => close(context, screen, page) };
    },
    async stop() {
      await (await browser)?.close();
      for (const site of await Promise.allSettled([full, empty]))
        if (site.status === 'fulfilled') await site.value?.network.stop();
    },
  };
}

/** Answers requests to other hosts with 204. A Playwright route would disable the cache. */
async function stubExternalRequests(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId }) =>
    session.send('Fetch.fulfillRequest', { requestId, responseCode: 204 }).catch(() => {}),
  );
  await session.send('Fetch.enable', { patterns: [{ urlPattern: 'https://*' }] });
}

export function pathOf({ path }: Screen, seed: SeedData | undefined): string {
  if (typeof path === 'string') return path;
  if (!seed) throw new Error('this screen needs seed data');
  return path(seed);
}

function recordConsole(page: Page, expected: RegExp | undefined): string[] {
  const consoleErrors: string[] = [];
  watchConsole(page, (text, type) => {
    if (type === 'pageerror' || !expected?.test(text)) consoleErrors.push(`${type}: ${text}`);
  });
  return consoleErrors;
}

/** Runs in the page: a language chosen in it is not stored for other pages. */
function isolateLanguage() {
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (key, value) {
    if (key !== 'wayquest-language') setItem.call(this, key, value);
  };
}

/** Runs in the page, so it uses no imports, and no named inner functions: the bundler would add helpers to those. */
function recordLayoutShifts() {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const value = 'value' in entry && typeof entry.value === 'number' ? entry.value : 0;
      const sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] =
        'sources' in entry && Array.isArray(entry.sources) ? entry.sources : [];
      const moves = sources.map(({ node, previousRect, currentRect }) => {
        const name = node instanceof Element ? node.className : 'text';
        return `${name} from y ${previousRect.y} to ${currentRect.y}`;
      });
      const { scrollHeight, scrollTop } = document.documentElement;
      const state = `after ${Math.round(entry.startTime)} ms, at ${scrollTop} of ${scrollHeight} px`;
      window.shifts.push({ value, what: `${moves.join(', ')}, ${state}` });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Waits until the code, data, images and fonts of a page are loaded. */
export async function waitUntilLoaded(page: Page, mayBeBusy = false): Promise<void> {
  await page
    .locator('#root:not([data-prerendered]) main :is(h1, [aria-busy])')
    .first()
    .waitFor({ state: 'attached' });
  await page.waitForFunction((allowBusy) => {
    const pending =
      '[aria-busy="true"], .mantine-Skeleton-root, .leaflet-container:not(:has(.leaflet-tile-loaded))';
    const map = [...document.querySelectorAll('[role="status"]')].every(
      ({ textContent }) => textContent !== 'loading maps',
    );
    const ready = allowBusy || (map && document.querySelector('h1') && !document.querySelector(pending));
    // Images below the window load when they are scrolled to.
    const imagesLoaded = [...document.images].every(
      (image) => image.complete || image.getBoundingClientRect().top > innerHeight,
    );
    return ready && imagesLoaded && document.fonts.status === 'loaded';
  }, mayBeBusy);
  await waitForAnimations(page);
}

/** Waits until animations are finished and the page is rendered. */
export const waitForAnimations = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let idleFrames = 0; idleFrames < 2; idleFrames++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      for (const animation of document.getAnimations()) {
        if (!Number.isFinite(animation.effect?.getComputedTiming().endTime)) continue;
        animation.finish();
        idleFrames = 0;
      }
    }
  });

/** Sets the color scheme of a page. */
export async function setTheme(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
  await waitForAnimations(page);
}

/**
 * Whether this machine has a font for Chinese. Without one the browser draws boxes of half the width, so measurements mean
 * nothing.
 */
export const hasChineseFont = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d');
    if (!context) return false;
    context.font = `100px ${getComputedStyle(document.body).fontFamily}`;
    return context.measureText('永').width >= 90;
  });

/** Switches a page to Chinese without a reload: open dialogs stay open, and the focus stays where it is. */
export async function switchToChinese(page: Page): Promise<void> {
  await page
    .locator('footer button[lang="zh-Hans"]')
    .evaluate((button) => button instanceof HTMLElement && button.click());
  await page.locator('html[lang="zh-Hans"]').waitFor();
  await waitUntilLoaded(page, true);
}
