import type { BrowserContextOptions, Page } from 'playwright-core';

/** Events of a page that tests listen to. Playwright's own listeners are for other events. */
const pageEvents = [
  ...(['console', 'dialog', 'download', 'framenavigated', 'pageerror', 'popup'] as const),
  ...(['request', 'requestfailed', 'requestfinished', 'response', 'websocket'] as const),
];

/** The options of a page that a test does not choose. */
export const initialPageOptions = {
  viewport: { width: 1280, height: 900 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
} as const;

/** A page that a test has opened. */
interface OpenPage {
  page: Page;
  /** Gives the page to the next test that needs one with the same options, or closes it. */
  release(): Promise<void>;
}

/**
 * Loads a document of the app's origin that is not the app: its script of a few lines, which is only displayed. A document
 * that a Playwright route responds with would disable the browser's cache.
 */
const leaveApp = (page: Page, origin: string) => page.goto(`${origin}/before-paint.js`, { timeout: 10_000 });

/**
 * Pages of finished tests, which the next tests use: loading the app again in one page takes half of the processor time
 * that a new browser context takes, since its process is running and has compiled the scripts. Nothing of the earlier
 * test is left in it: no stored data, cookies, permissions, routes, scripts, listeners or history.
 */
export class PagePool {
  readonly #create: (options: BrowserContextOptions) => Promise<Page>;
  readonly #baseURL: string;
  readonly #free = new Map<string, OpenPage[]>();

  /**
   * @param create - Opens a page in a new browser context.
   * @param baseURL - The address of the app, if the options have no other one.
   */
  constructor(create: (options: BrowserContextOptions) => Promise<Page>, baseURL: string) {
    this.#create = create;
    this.#baseURL = baseURL;
  }

  /**
   * Returns a page without cookies and stored data.
   *
   * @param options - Those of its browser context.
   * @param token - The token of a user who is logged in.
   */
  async open(
    { viewport, colorScheme, reducedMotion, geolocation, ...options }: BrowserContextOptions,
    token?: string,
  ): Promise<OpenPage> {
    const key = JSON.stringify(options);
    const origin = new URL(options.baseURL ?? this.#baseURL).origin;
    const open = this.#free.get(key)?.pop() ?? (await this.#openNew(key, origin, options));
    // What can be changed in an open page need not be the same as before.
    await Promise.all([
      open.page.setViewportSize(viewport ?? initialPageOptions.viewport),
      open.page.emulateMedia({
        colorScheme: colorScheme ?? initialPageOptions.colorScheme,
        reducedMotion: reducedMotion ?? initialPageOptions.reducedMotion,
      }),
      open.page.context().setGeolocation(geolocation ?? null),
    ]);
    if (token !== undefined) {
      if (open.page.url() === 'about:blank') await leaveApp(open.page, origin);
      await open.page.evaluate(`localStorage.setItem('token', ${JSON.stringify(token)})`);
    }
    return open;
  }

  async #openNew(key: string, origin: string, options: BrowserContextOptions): Promise<OpenPage> {
    const page = await this.#create(options);
    const context = page.context();
    const devTools = await context.newCDPSession(page);

    // What a test emulates by a session of its own, or by Playwright's clock, cannot be reset.
    let isReusable = options.serviceWorkers === undefined && options.permissions === undefined;
    const { clock } = page;
    Object.defineProperty(page, 'clock', {
      get: () => {
        isReusable = false;
        return clock;
      },
    });
    const openSession = context.newCDPSession.bind(context);
    context.newCDPSession = (...args) => {
      isReusable = false;
      return openSession(...args);
    };
    const initScripts: { dispose(): Promise<void> }[] = [];
    const addInitScript = page.addInitScript.bind(page);
    page.addInitScript = async (...args) => {
      const script = await addInitScript(...args);
      initScripts.push(script);
      return script;
    };

    const reset = async () => {
      const others = context.pages().filter((each) => each !== page);
      await Promise.all(others.map((other) => other.close()));
      for (const event of pageEvents) page.removeAllListeners(event);
      await Promise.all([
        page.unrouteAll({ behavior: 'ignoreErrors' }),
        context.unrouteAll({ behavior: 'ignoreErrors' }),
        context.setOffline(false),
        ...initScripts.splice(0).map((script) => script.dispose()),
      ]);
      // The app stores data until it is left.
      await leaveApp(page, origin);
      await page.evaluate('localStorage.clear(); sessionStorage.clear();');
      await Promise.all([
        devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
        devTools.send('Page.resetNavigationHistory'),
        context.clearCookies(),
        context.clearPermissions(),
        page.mouse.move(0, 0),
      ]);
    };
    const open: OpenPage = {
      page,
      release: async () => {
        if (page.isClosed()) return;
        isReusable &&= new URL(page.url()).origin === origin;
        if (isReusable)
          await reset().catch(() => {
            isReusable = false;
          });
        if (!isReusable) return context.close();
        const free = this.#free.get(key);
        if (free) free.push(open);
        else this.#free.set(key, [open]);
      },
    };
    return open;
  }
}
