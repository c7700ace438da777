import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterTest, describeWith, useShared } from '../src/backing.ts';
import { openBrowser, showDocument } from '../src/browser.ts';
import { PagePool } from '../src/page-pool.ts';

(await describeWith('chromium'))('a pool of pages', () => {
  let server: Server;
  let browser: Browser;
  let url: string;
  let pool: PagePool;

  beforeAll(async () => {
    server = createServer((request, response) => {
      response.setHeader('content-type', request.url === '/' ? 'text/html' : 'text/javascript');
      response.end('<h1>From the server</h1>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({
      executablePath: await useShared('chromium'),
      args: ['--no-sandbox'],
    });
    const create = async (options: BrowserContextOptions) => {
      const context = await browser.newContext({ baseURL: url, ...options });
      return context.newPage();
    };
    pool = new PagePool(create, url);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const stateOf = async (page: Page) => {
    await page.goto('/');
    return {
      heading: await page.locator('h1').textContent(),
      cookies: await page.context().cookies(),
      ...(await page.evaluate<object>(`(async () => ({
        local: { ...localStorage },
        session: { ...sessionStorage },
        databases: (await indexedDB.databases()).map(({ name }) => name),
        caches: await caches.keys(),
        script: typeof fromScript,
        isDark: matchMedia('(prefers-color-scheme: dark)').matches,
        width: innerWidth,
        geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
        isOnline: navigator.onLine,
      }))()`)),
    };
  };

  it('gives a released page without what its user left to the next user with the same options', async () => {
    const first = await pool.open({}, 'token-of-ann');
    const before = { ...(await stateOf(first.page)), local: {} };
    const { page } = first;
    const context = page.context();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.evaluate(`(async () => {
      localStorage.setItem('kept', '1');
      sessionStorage.setItem('kept', '1');
      document.cookie = 'kept=1';
      await caches.open('kept');
      const opening = indexedDB.open('kept');
      await new Promise((resolve) => { opening.onsuccess = resolve; });
      opening.result.close();
      // An app that stores data when it is left.
      addEventListener('pagehide', () => sessionStorage.setItem('late', '1'));
    })()`);
    await page.addInitScript('globalThis.fromScript = 1');
    await page.route('**/', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Stub</h1>' }));
    await context.grantPermissions(['geolocation']);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await context.setOffline(true);
    const other = await context.newPage();
    await first.release();

    const second = await pool.open({});
    expect([second.page === page, other.isClosed()]).toEqual([true, true]);
    requests.length = 0;
    expect(await stateOf(second.page)).toEqual(before);
    expect(requests).toEqual([]);
    // Nothing of the first user is behind the page's back button, only where the pool waited.
    await page.goBack();
    expect(await page.goBack()).toBeNull();
    await second.release();
  });

  it('gives a page to somebody with another window or color scheme, who gets what they asked for', async () => {
    const first = await pool.open({ viewport: { width: 390, height: 844 } });
    await first.page.goto('/');
    await first.release();
    const dark = await pool.open({
      ...{ viewport: { width: 800, height: 600 }, colorScheme: 'dark' },
      geolocation: { latitude: 40.75, longitude: -73.82 },
    });
    expect(dark.page === first.page).toBe(true);
    expect(await stateOf(dark.page)).toMatchObject({ width: 800, isDark: true });
    await dark.page.context().grantPermissions(['geolocation']);
    const latitude = `new Promise((resolve, reject) => {
      navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords.latitude), reject);
    })`;
    expect(await dark.page.evaluate(latitude)).toBe(40.75);
    await dark.release();

    const other = await pool.open({});
    expect(other.page === first.page).toBe(true);
    expect(await stateOf(other.page)).toMatchObject({ width: 1280, isDark: false });
    await other.release();
  });

  it('does not give a page to somebody with other options', async () => {
    const english = await pool.open({ locale: 'en-US' });
    await english.page.goto('/');
    await english.release();
    const chinese = await pool.open({ locale: 'zh-CN' });
    expect(chinese.page === english.page).toBe(false);
    await chinese.page.context().close();
  });

  it.each<[string, (page: Page) => Promise<unknown>]>([
    ['uses a session of DevTools', (page) => page.context().newCDPSession(page)],
    ['installs a clock', (page) => page.clock.install()],
    ['ends at another address', (page) => page.goto('about:blank')],
  ])('closes a page whose user %s, which cannot be reset', async (_, use) => {
    const { page, release } = await pool.open({});
    await page.goto('/');
    await use(page);
    await release();
    expect(page.isClosed()).toBe(true);
  });

  it('makes each document transparent until it is shown', async () => {
    const other = await openBrowser(url);
    afterTest(other.close);
    const { page } = await other.visitor();
    const isOpaque = () =>
      page.evaluate<boolean>(`document.querySelector('h1').checkVisibility({ opacityProperty: true })`);
    const found: boolean[] = [];
    for (let document = 0; document < 2; document += 1) {
      await page.goto('/');
      found.push(await isOpaque());
      await showDocument(page);
      found.push(await isOpaque());
    }
    expect(found).toEqual([false, true, false, true]);
  });
});
