import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scenes } from '@wayquest/contracts';
import {
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  type TestBrowser,
} from '@wayquest/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { phone } from './screens/fixture.ts';
import { startSite } from './support/start-site.ts';

const dist = join(import.meta.dirname, '../dist');

(await describeWith('chromium'))('prerendered pages', () => {
  let network: Network;
  let browser: TestBrowser;

  beforeAll(async () => {
    // Reading the places holds all up for a while: better now than in the middle.
    network = await startSite({ places: { readAhead: true } });
    browser = await openBrowser(network.url);
  });
  afterAll(async () => {
    await browser.close();
    await network.stop();
  });

  it('belong to an app without schemas', () => {
    const chunks: Record<string, { file: string }> = JSON.parse(
      readFileSync(join(dist, '.vite/manifest.json'), 'utf8'),
    );
    const scripts = Object.values(chunks).filter(({ file }) => file.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(50);
    const holdsSchemas = ({ file }: { file: string }) =>
      readFileSync(join(dist, file), 'utf8').includes('ZodError');
    expect(scripts.filter(holdsSchemas)).toEqual([]);
  });

  const open = async (path: string, options: BrowserContextOptions) => {
    const visitor = await browser.visitor(options);
    await visitor.page.goto(path);
    return visitor;
  };

  const close = (page: Page) => page.context().close();

  // Empty rather than lost: a page whose first script is lost is loaded anew.
  const leaveOutTheApp = (page: Page) =>
    page.route(/\/assets\/.*\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));

  it('have a picture of each kind of place for links to them', async () => {
    for (const scene of scenes) {
      const answer = await fetch(`${network.url}/images/scenes/${scene}.jpg`);
      const { format, width, height } = await sharp(await answer.arrayBuffer()).metadata();
      expect([scene, answer.headers.get('content-type'), format, width, height]).toEqual([
        scene,
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
      const { page, consoleErrors } = await open(path, {
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
      await close(page);
    }
  });

  it('look the same without scripts', async () => {
    const styles = (page: Page) =>
      page.locator('main').evaluate((main) =>
        [...main.querySelectorAll('h1, h2, p, a, svg')].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          const { color, backgroundColor, fontSize, fontWeight } = getComputedStyle(element);
          const place = [x, y, width, height].map(Math.round).join(' ');
          return [element.tagName, place, color, backgroundColor, fontSize, fontWeight].join(' ');
        }),
      );
    // Only a page whose scripts run can be asked for its styles: here the app's own do not arrive.
    const { page: drawn } = await browser.visitor();
    await leaveOutTheApp(drawn);
    await drawn.goto('/home');
    // What is drawn is the page before a service was asked.
    const { page: live, consoleErrors } = await browser.visitor();
    await live.route('**/api/challenges/**', () => new Promise(() => {}));
    await live.goto('/home');
    await live.locator('#root:not([data-drawn])').waitFor({ state: 'attached' });
    await Promise.all(
      [drawn, live].map((page) => page.evaluate(() => document.fonts.ready.then(() => null))),
    );
    await eventually(async () => expect(await styles(drawn)).toEqual(await styles(live)));
    expect(consoleErrors).toEqual([]);
    await Promise.all([close(drawn), close(live)]);
  });

  it('contain their styles, so that none is loaded twice or has the wrong precedence', async () => {
    await newChallenge(await newUser(network, 'otto'), { position: { lat: 40.75, lng: -73.8 } });
    await network.settle();
    const { page } = await browser.visitor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/home');
    await page.getByRole('link', { name: 'Explore the map' }).scrollIntoViewIfNeeded();
    await page.locator('canvas').waitFor();
    const links = page.locator('link[rel="stylesheet"][disabled]');
    const brought = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(brought.length).toBeGreaterThan(1);
    expect(asked.filter((path) => brought.includes(path))).toEqual([]);
    await close(page);
  });

  it('use the browser’s language, and no other than a chosen one', async () => {
    const { page } = await browser.visitor({ locale: 'zh-CN' });
    await leaveOutTheApp(page);
    await page.goto('/home');
    const title = page.getByRole('heading', { level: 1 });
    expect([await title.textContent(), await page.locator('html').getAttribute('lang')]).toEqual([
      expect.stringMatching(/\p{Script=Han}/u),
      'zh-Hans',
    ]);
    await page.evaluate(() => localStorage.setItem('wayquest-language', 'en'));
    await page.reload();
    expect(await title.isVisible()).toBe(false);
    await close(page);
  });

  it('keep the focus on a link when the app takes over', async () => {
    const { page, consoleErrors } = await browser.visitor();
    let comes = () => {};
    const wanted = new Promise<void>((resolve) => {
      comes = resolve;
    });
    await page.route(/\/assets\/index-.*\.js/, async (route) => {
      await wanted;
      await route.continue();
    });
    await page.goto('/home', { waitUntil: 'commit' });
    const link = page.getByRole('link', { name: 'Start Exploring' });
    await link.focus();
    comes();
    await page.locator('#root:not([data-drawn])').waitFor({ state: 'attached' });
    await eventually(() => link.evaluate((element) => element === document.activeElement));
    expect(consoleErrors).toEqual([]);
    await close(page);
  });

  it('show a member nothing for visitors, and accept no input before they are hydrated', async () => {
    const { token } = await newUser(network, 'maya');
    const { page } = await browser.visitor();
    await leaveOutTheApp(page);
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
    await close(page);
  });

  it('do not move what a member sees first on a phone when the app starts', async () => {
    const { token } = await newUser(network, 'nina');
    const heightOfHero = async (comes: boolean) => {
      const { page } = await browser.visitor({ viewport: phone });
      await page.addInitScript((value) => localStorage.setItem('token', value), token);
      if (!comes) await leaveOutTheApp(page);
      await page.goto('/home');
      if (comes) await page.locator('#root:not([data-drawn])').waitFor({ state: 'attached' });
      await page.evaluate(() => document.fonts.ready.then(() => null));
      const box = await page.locator('main section').first().boundingBox();
      await close(page);
      return box?.height;
    };
    expect(await heightOfHero(false)).toBe(await heightOfHero(true));
  });
});
