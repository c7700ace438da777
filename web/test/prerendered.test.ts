import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeCategories } from '@wayquest/contracts';
import { describeWith, eventually, newChallenge, newUser } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { phone } from './screens/fixture.ts';
import { useSite } from './support/start-site.ts';

const dist = join(import.meta.dirname, '../dist');

(await describeWith('chromium'))('prerendered pages', () => {
  // Loading the gazetteer blocks the process for a while, so it is loaded before the tests.
  const site = useSite({ places: { preload: true } });

  it('belong to an app whose scripts contain no schemas', () => {
    const chunks: Record<string, { file: string }> = JSON.parse(
      readFileSync(join(dist, '.vite/manifest.json'), 'utf8'),
    );
    const scripts = Object.values(chunks).filter(({ file }) => file.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(50);
    const containsSchemas = ({ file }: { file: string }) =>
      readFileSync(join(dist, file), 'utf8').includes('ZodError');
    expect(scripts.filter(containsSchemas)).toEqual([]);
  });

  // Empty scripts rather than failed ones: a page whose first script fails is reloaded.
  const blockScripts = (page: Page) =>
    page.route(/\/assets\/.*\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));

  // Browsers request this file for documents that name no icon, such as an opened picture, and log an error if it is missing.
  it('come with an icon in three sizes for documents that name none', async () => {
    const response = await fetch(`${site.network.url}/favicon.ico`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'image/vnd.microsoft.icon',
    ]);
    const [, type, count] = new Uint16Array((await response.arrayBuffer()).slice(0, 6));
    expect([type, count]).toEqual([1, 3]);
  });

  it('have a JPEG of each place category for link previews', async () => {
    for (const placeCategory of placeCategories) {
      const response = await fetch(`${site.network.url}/images/place-categories/${placeCategory}.jpg`);
      const { format, width, height } = await sharp(await response.arrayBuffer()).metadata();
      expect([placeCategory, response.headers.get('content-type'), format, width, height]).toEqual([
        placeCategory,
        'image/jpeg',
        'jpeg',
        1200,
        630,
      ]);
    }
  });

  it.each([
    ['/', 'Challenge Yourself to Explore Your World'],
    ['/Home', 'Challenge Yourself to Explore Your World'],
    ['/explore', 'Explore Map: Find and create challenges near you.'],
    ['/challenges', 'Challenges'],
    ['/leaderboard', 'Leaderboard'],
    ['/libraries', 'Libraries'],
  ])('show %s without scripts', async (path, heading) => {
    for (const viewport of [undefined, phone]) {
      const { page, consoleErrors } = await site.visit(path, {
        javaScriptEnabled: false,
        ...(viewport && { viewport }),
      });
      const title = page.getByRole('heading', { level: 1, name: heading });
      expect(await title.isVisible()).toBe(true);
      const box = await title.boundingBox();
      expect(box?.y).toBeLessThan(phone.height / 2);
      const link = page.getByRole('navigation').getByRole('link', { name: 'Leaderboard' });
      expect(await link.isVisible()).toBe(true);
      expect(consoleErrors).toEqual([]);
    }
  });

  it('look the same as the rendered app before its data are loaded', async () => {
    const styles = (page: Page) =>
      page.locator('main').evaluate((main) =>
        [...main.querySelectorAll('h1, h2, p, a, svg')].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          const { color, backgroundColor, fontSize, fontWeight } = getComputedStyle(element);
          const box = [x, y, width, height].map(Math.round).join(' ');
          return [element.tagName, box, color, backgroundColor, fontSize, fontWeight].join(' ');
        }),
      );
    // Styles can only be read if scripts are enabled, so only the app's own are blocked.
    const { page: prerendered } = await site.browser.visitor();
    await blockScripts(prerendered);
    await prerendered.goto('/home');
    // The prerendered page shows the state before the first response.
    const { page: live, consoleErrors } = await site.browser.visitor();
    await live.route('**/api/challenges/**', () => new Promise(() => {}));
    await live.goto('/home');
    await live.locator('#root:not([data-prerendered])').waitFor({ state: 'attached' });
    await Promise.all(
      [prerendered, live].map((page) => page.evaluate(() => document.fonts.ready.then(() => null))),
    );
    await eventually(async () => expect(await styles(prerendered)).toEqual(await styles(live)));
    expect(consoleErrors).toEqual([]);
  });

  it('contain their styles inline, and load none of them again', async () => {
    await newChallenge(await newUser(site.network, 'otto'), { position: { lat: 40.75, lng: -73.8 } });
    await site.network.settle();
    const { page } = await site.browser.visitor();
    const requestedPaths: string[] = [];
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
    await page.goto('/home');
    await page.getByRole('link', { name: 'Explore the map' }).scrollIntoViewIfNeeded();
    await page.locator('canvas').waitFor();
    const links = page.locator('link[rel="stylesheet"][disabled]');
    const inlined = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(inlined.length).toBeGreaterThan(1);
    expect(requestedPaths.filter((path) => inlined.includes(path))).toEqual([]);
  });

  it('are shown in the browser’s language, and hidden if another one was chosen', async () => {
    const { page } = await site.browser.visitor({ locale: 'zh-CN' });
    await blockScripts(page);
    await page.goto('/home');
    const title = page.getByRole('heading', { level: 1 });
    expect([await title.textContent(), await page.locator('html').getAttribute('lang')]).toEqual([
      expect.stringMatching(/\p{Script=Han}/u),
      'zh-Hans',
    ]);
    await page.evaluate(() => localStorage.setItem('wayquest-language', 'en'));
    await page.reload();
    expect(await title.isVisible()).toBe(false);
  });

  it('keep the focus on a link when the app takes over', async () => {
    const { page, consoleErrors } = await site.browser.visitor();
    let continueLoading = () => {};
    const allowed = new Promise<void>((resolve) => {
      continueLoading = resolve;
    });
    await page.route(/\/assets\/index-.*\.js/, async (route) => {
      await allowed;
      await route.continue();
    });
    await page.goto('/home', { waitUntil: 'commit' });
    const link = page.getByRole('link', { name: 'Start Exploring' });
    await link.focus();
    continueLoading();
    await page.locator('#root:not([data-prerendered])').waitFor({ state: 'attached' });
    await eventually(() => link.evaluate((element) => element === document.activeElement));
    expect(consoleErrors).toEqual([]);
  });

  it('hide links for visitors from members, and accept no input before hydration', async () => {
    const { token } = await newUser(site.network, 'maya');
    const { page } = await site.browser.visitor();
    await blockScripts(page);
    await page.goto('/signup');
    const name = page.locator('[name="username"]');
    expect(await name.isEditable()).toBe(false);
    await name.click({ force: true });
    expect(await name.evaluate((field) => field === document.activeElement)).toBe(false);
    const links = page.locator('[data-for="visitors"]');
    expect(await links.first().isVisible()).toBe(true);
    await page.evaluate((value) => localStorage.setItem('token', value), token);
    await page.goto('/home');
    expect(await links.count()).toBe(4);
    for (const link of await links.all()) expect(await link.isVisible()).toBe(false);
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  });

  it('have the same height of the hero for a member on a phone before and after hydration', async () => {
    const { token } = await newUser(site.network, 'nina');
    const heightOfHero = async (continueLoading: boolean) => {
      const { page } = await site.browser.visitor({ viewport: phone, token });
      if (!continueLoading) await blockScripts(page);
      await page.goto('/home');
      if (continueLoading) await page.locator('#root:not([data-prerendered])').waitFor({ state: 'attached' });
      await page.evaluate(() => document.fonts.ready.then(() => null));
      const box = await page.locator('main section').first().boundingBox();
      return box?.height;
    };
    expect(await heightOfHero(false)).toBe(await heightOfHero(true));
  });
});
