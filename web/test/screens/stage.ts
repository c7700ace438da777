import { isNetworkChange, type Network, newUser, type TestBrowser, watchConsole } from '@wayquest/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { startSite } from '../support/start-site.ts';
import type { Screen, Who } from './table.ts';
import { type FullTown, fillTown, type TownSize } from './town.ts';

declare global {
  interface Window {
    /** What moved by itself while the page was loaded, and how much of the window that was. */
    shifts: { value: number; what: string }[];
    /** Whether anything has been pressed or written in. */
    hadFocus: boolean;
  }
}

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };
export const smallPhone = { width: 320, height: 640 };

/** The windows and the colours that everything is looked at in. */
export const viewports = [desktop, phone, smallPhone];
export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];
/** What a browser asks for. */
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];
export type Viewport = typeof desktop;

interface Scene {
  network: Network;
  tokens: Partial<Record<Who, string>>;
  town?: FullTown;
}

/** A screen, open in a page. */
export interface OpenScreen {
  page: Page;
  /** What the console said that its state does not account for, and errors that nobody caught. */
  consoleErrors: string[];
}

/** Two networks, the one with nothing in it and the other with much, and a browser to see every screen of the table. */
export interface Stage {
  /** A new page; those of one person share what a browser keeps. */
  open(screen: Screen, language: Language, viewport: Viewport): Promise<OpenScreen>;
  /** Loads the screen's page anew. */
  reload(page: Page, screen: Screen): Promise<void>;
  /** How many requests the machine's network has lost: a page that misses something is not what is looked at. */
  losses(): number;
  stop(): Promise<void>;
}

/** How long a page may take, in milliseconds, also where everything is looked at at once. */
const patience = 60_000;

/** Google sign-in is shown, and never gone to. */
const settings = { GOOGLE_CLIENT_ID: 'shown', GOOGLE_CLIENT_SECRET: 'shown' };

const start = (mongoUrl?: string) =>
  startSite({ places: { readAhead: true }, settings, ...(mongoUrl && { mongo: mongoUrl }) });

async function startEmpty(mongoUrl?: string): Promise<Scene> {
  const network = await start(mongoUrl);
  return { network, tokens: { newcomer: (await newUser(network, 'newcomer')).token } };
}

async function startFull(mongoUrl?: string, size?: TownSize): Promise<Scene> {
  const network = await start(mongoUrl);
  const town = await fillTown(network, size);
  const newcomer = await newUser(network, 'newcomer');
  const admin = network.signToken({ sub: '900001', username: 'admin', admin: true });
  await network.client(admin).getMe();
  await network.settle();
  return { network, town, tokens: { newcomer: newcomer.token, regular: town.regular.token, admin } };
}

/** The full network is filled meanwhile; only who opens a screen of it waits for that. */
export async function startStage(
  open: (url: string) => Promise<TestBrowser>,
  { mongoUrl, size }: { mongoUrl?: string; size?: TownSize } = {},
): Promise<Stage> {
  const empty = await startEmpty(mongoUrl);
  const browser = await open(empty.network.url);
  const scenes = { empty: Promise.resolve(empty), full: startFull(mongoUrl, size) };
  // Told to whoever waits for it.
  scenes.full.catch(() => {});
  const contexts = new Map<string, Promise<BrowserContext>>();
  let losses = 0;

  const contextOf = ({ world, who }: Screen, locale: Language, { network, tokens }: Scene) => {
    const make = async () => {
      const { page } = await browser.visitor({ baseURL: network.url, locale });
      const context = page.context();
      const token = tokens[who];
      if (token) await context.addInitScript((value) => localStorage.setItem('token', value), token);
      await context.addInitScript(watchShifts);
      await context.addInitScript(forgetLanguage);
      await context.addInitScript(() => {
        window.hadFocus = false;
        addEventListener('focusin', () => {
          window.hadFocus = true;
        });
      });
      await page.close();
      context.on('requestfailed', (request) => {
        if (isNetworkChange(request.failure()?.errorText ?? '')) losses += 1;
      });
      context.setDefaultTimeout(patience);
      return context;
    };
    const key = `${world} ${who} ${locale}`;
    const context = contexts.get(key) ?? make();
    contexts.set(key, context);
    return context;
  };

  const reload = async (page: Page, screen: Screen) => {
    const { town } = await scenes[screen.world];
    const path = pathOf(screen, town);
    // To another fragment of the page that is there would be no load.
    if (path.includes('#')) await page.goto('/login');
    await page.goto(path);
    await settle(page, screen.waits);
  };
  return {
    reload,
    losses: () => losses,
    async open(screen, language, viewport) {
      const context = await contextOf(screen, language, await scenes[screen.world]);
      const page = await context.newPage();
      await keepInside(page);
      await page.setViewportSize(viewport);
      const consoleErrors = listen(page, screen.says);
      await screen.before?.(page);
      await reload(page, screen);
      return { page, consoleErrors };
    },
    async stop() {
      await browser.close();
      for (const scene of await Promise.allSettled(Object.values(scenes)))
        if (scene.status === 'fulfilled') await scene.value.network.stop();
    },
  };
}

/** Nothing of the world outside is there, and the console has nothing to say of it. Not by a route, for which the cache would be off. */
async function keepInside(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId }) =>
    session.send('Fetch.fulfillRequest', { requestId, responseCode: 204 }).catch(() => {}),
  );
  await session.send('Fetch.enable', { patterns: [{ urlPattern: 'https://*' }] });
}

export function pathOf({ path }: Screen, town: FullTown | undefined): string {
  if (typeof path === 'string') return path;
  if (!town) throw new Error('that screen is of a full town');
  return path(town);
}

function listen(page: Page, expected: RegExp | undefined): string[] {
  const consoleErrors: string[] = [];
  watchConsole(page, (text, type) => {
    if (type === 'pageerror' || !expected?.test(text)) consoleErrors.push(`${type}: ${text}`);
  });
  return consoleErrors;
}

/** In the page: a language that is chosen there is of that page alone. */
function forgetLanguage() {
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (key, value) {
    if (key !== 'wayquest-language') setItem.call(this, key, value);
  };
}

/** In the page, where there is nothing but itself: functions in it that have names would be given helpers. */
function watchShifts() {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const value = 'value' in entry && typeof entry.value === 'number' ? entry.value : 0;
      const sources: { node: Node | null }[] =
        'sources' in entry && Array.isArray(entry.sources) ? entry.sources : [];
      const moved = sources.map(({ node }) => (node instanceof Element ? node.className : 'text'));
      window.shifts.push({ value, what: moved.join(', ') });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Waits until a page shows what it has to show: its code, its data, its pictures and its letters. */
export async function settle(page: Page, waits = false): Promise<void> {
  await page
    .locator('#root:not([data-drawn]) main :is(h1, [aria-busy])')
    .first()
    .waitFor({ state: 'attached' });
  await page.waitForFunction((mayWait) => {
    const pending =
      '[aria-busy="true"], .mantine-Skeleton-root, .leaflet-container:not(:has(.leaflet-tile-loaded))';
    const map = [...document.querySelectorAll('[role="status"]')].every(
      ({ textContent }) => textContent !== 'loading maps',
    );
    const ready = mayWait || (map && document.querySelector('h1') && !document.querySelector(pending));
    // Those far below are loaded when they are scrolled to.
    const pictures = [...document.images].every(
      (image) => image.complete || image.getBoundingClientRect().top > innerHeight,
    );
    return ready && pictures && document.fonts.status === 'loaded';
  }, waits);
  await stand(page);
}

/** Waits until what moves has arrived, and the page is drawn. */
export const stand = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let quiet = 0; quiet < 2; quiet++) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      for (const animation of document.getAnimations()) {
        if (!Number.isFinite(animation.effect?.getComputedTiming().endTime)) continue;
        animation.finish();
        quiet = 0;
      }
    }
  });

/** Shows a page by day or by night. */
export async function showIn(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
  await stand(page);
}

/**
 * Whether this machine has a font for Chinese. Without one the browser draws boxes that are half as wide, and nothing that
 * is measured says anything.
 */
export const canDrawChinese = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d');
    if (!pen) return false;
    pen.font = `100px ${getComputedStyle(document.body).fontFamily}`;
    return pen.measureText('永').width >= 90;
  });

/** Says all of a page in Chinese, as it stands: whatever is open stays open, and has the focus. */
export async function speakChinese(page: Page): Promise<void> {
  await page
    .locator('footer [lang="zh-Hans"]')
    .evaluate((button) => button instanceof HTMLElement && button.click());
  await page.locator('html[lang="zh-Hans"]').waitFor();
  await settle(page, true);
}
