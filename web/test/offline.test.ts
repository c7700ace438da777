import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  type TestBrowser,
} from '@wayquest/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { findBarriers, findMisfits } from './screens/checks.ts';
import { phone } from './screens/stage.ts';
import { startSite, webDirectory } from './support/start-site.ts';

/** On a phone: installed, without a network, and told by a push. */

(await describeWith('chromium'))('with a service worker', () => {
  let network: Network;
  let browser: TestBrowser;
  /** A copy of the web app, which a test may update. */
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'wayquest-web-'));
    await cp(webDirectory, directory, { recursive: true });
    network = await startSite({ webDirectory: directory });
    browser = await openBrowser(network.url);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
    await rm(directory, { recursive: true });
  });

  /** Somebody whose pages the worker answers. */
  const open = async (path: string, token?: string) => {
    const { page, complaints } = await browser.visitor({ viewport: phone, serviceWorkers: 'allow' });
    await page.goto('/libraries');
    if (token) await page.evaluate((kept) => localStorage.setItem('token', kept), token);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    await page.goto(path);
    return { page, context: page.context(), complaints };
  };

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const banner = (page: Page) => page.getByText('You are offline. This is what was loaded last.');

  /** All that the worker has kept: names of caches, addresses, headers and contents. */
  const keptIn = (page: Page) =>
    page.evaluate(async () => {
      const kept: { place: string; url: string; all: string }[] = [];
      for (const place of await caches.keys()) {
        const cache = await caches.open(place);
        for (const request of await cache.keys()) {
          const response = await cache.match(request);
          const headers = JSON.stringify([...request.headers, ...(response?.headers ?? [])]);
          kept.push({
            place,
            url: request.url,
            all: place + request.url + headers + (await response?.text()),
          });
        }
      }
      return kept;
    });
  const answersIn = async (page: Page) =>
    (await keptIn(page)).filter(({ place }) => place.startsWith('answers-'));

  const isKept = (page: Page, path: string) =>
    eventually(async () => {
      const urls = (await answersIn(page)).map(({ url }) => new URL(url).pathname);
      if (!urls.includes(path)) throw new Error(`${path} is not kept: ${urls}`);
    });

  const close = (context: BrowserContext) => context.close();

  it('can be installed', async () => {
    const { page, context, complaints } = await open('/home');
    const session = await context.newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // Those of a test are all incognito, where nothing can be installed.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
    const icons = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
      const manifest = await (await fetch(link?.href ?? '')).json();
      const listed: { src: string; sizes: string }[] = [
        ...manifest.icons,
        ...manifest.shortcuts.flatMap(({ icons }: typeof manifest) => icons),
        { src: document.querySelector<HTMLLinkElement>('[rel="apple-touch-icon"]')?.href, sizes: '180x180' },
      ];
      return Promise.all(
        listed.map(async ({ src, sizes }) => {
          const picture = await createImageBitmap(await (await fetch(src)).blob());
          return { said: sizes, is: `${picture.width}x${picture.height}` };
        }),
      );
    });
    expect(icons.length).toBeGreaterThan(4);
    expect(icons.map(({ is }) => is)).toEqual(icons.map(({ said }) => said));
    expect(complaints).toEqual([]);
    await close(context);
  });

  it('shows without a network what was loaded, says what was not, and asks again once there is one', async () => {
    const maker = await newUser(network);
    const seen = await newChallenge(maker);
    const unseen = await newChallenge(maker);
    const path = `/challenges/${seen.id}`;
    const { page, context } = await open(path, maker.token);
    await heading(page, seen.name).waitFor();
    await isKept(page, `/api${path}`);
    await isKept(page, '/auth/me');

    await context.setOffline(true);
    await page.reload();
    await heading(page, seen.name).waitFor();
    await banner(page).waitFor();
    await page.getByRole('button', { name: /^Menu of/ }).waitFor();
    expect([...(await findBarriers(page)), ...(await findMisfits(page))]).toEqual([]);
    await page.getByRole('button', { name: 'Join Challenge!' }).click();
    await page.getByText('Wayquest is out of reach.').waitFor();

    await page.goto(`/challenges/${unseen.id}`);
    await heading(page, 'Challenge').waitFor();
    await page.getByText('this was not loaded before').waitFor();
    await page.getByRole('link', { name: 'See all challenges' }).waitFor();

    await page.goto('/leaderboard');
    await heading(page, 'This page was not loaded before').waitFor();
    expect([...(await findBarriers(page)), ...(await findMisfits(page))]).toEqual([]);
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.waitForURL('**/home');

    await page.goto(path);
    await banner(page).waitFor();
    const body = { ...seen, name: 'Count the bridges twice' };
    await maker.client.updateChallenge({ params: { id: seen.id }, body });
    await context.setOffline(false);
    await heading(page, 'Count the bridges twice').waitFor();
    await banner(page).waitFor({ state: 'detached' });
    await close(context);
  });

  it('keeps what one person was answered for nobody else, and nothing once they are gone', async () => {
    const maya = await newUser(network);
    const theo = await newUser(network);
    const { page, context } = await open('/profile', maya.token);
    await heading(page, maya.username).waitFor();
    await isKept(page, '/auth/me');
    const kept = (await keptIn(page)).map(({ all }) => all).join();
    expect([kept.includes(maya.username), kept.includes(maya.token)]).toEqual([true, false]);

    await context.setOffline(true);
    await page.evaluate((token) => localStorage.setItem('token', token), theo.token);
    await page.reload();
    await heading(page, 'This page was not loaded before').waitFor();
    expect(await page.getByText(maya.username).count()).toBe(0);
    await context.setOffline(false);
    await heading(page, theo.username).waitFor();
    await eventually(async () => {
      const all = (await answersIn(page)).map((answer) => answer.all).join();
      expect([all.includes(theo.username), all.includes(maya.username)]).toEqual([true, false]);
    });

    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByText('Logout').click();
    await page.waitForURL('**/login');
    await eventually(async () => expect(await answersIn(page)).toEqual([]));
    await close(context);
  });

  it('shows what is pushed, whatever it is', async () => {
    const { page, context } = await open('/home');
    await context.grantPermissions(['notifications']);
    const session = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
        if (first) resolve(first.registrationId);
      });
    });
    await session.send('ServiceWorker.enable');
    const registrationId = await registered;
    const push = async (data: string) => {
      await session.send('ServiceWorker.deliverPushMessage', { origin: network.url, registrationId, data });
    };
    const shown = () =>
      page.evaluate(async () => {
        const notices = await (await navigator.serviceWorker.ready).getNotifications();
        return notices
          .map(({ title, body, tag, data }) => ({ title, body, tag, data }))
          .toSorted((a, b) => a.title.localeCompare(b.title));
      });
    await push(
      JSON.stringify({ title: 'Maya asks', body: 'to be friends', url: '/friends?new=1', tag: 'ask-1' }),
    );
    await push(JSON.stringify({ title: 'Somewhere else', url: 'https://evil.example/home', tag: 7 }));
    await push('nonsense');
    await eventually(async () =>
      expect(await shown()).toEqual([
        { title: 'Maya asks', body: 'to be friends', tag: 'ask-1', data: '/friends?new=1' },
        { title: 'Somewhere else', body: '', tag: '', data: '/home' },
        { title: 'Wayquest', body: '', tag: '', data: '/home' },
      ]),
    );
    await close(context);
  });

  it('lets a page of the build before go on when a new build takes over', async () => {
    const { page, context } = await open('/challenges');
    await heading(page, 'Challenges').waitFor();
    const parts = await readdir(join(directory, 'assets'));
    const part = String(parts.find((name) => /^Challenges-.*\.js$/.test(name)));
    const apps = async () => {
      const places = await page.evaluate(() => caches.keys());
      return places.filter((place) => place.startsWith('app-'));
    };
    const update = async (version: string) => {
      const file = join(directory, 'sw.js');
      await writeFile(file, (await readFile(file, 'utf8')).replace(/(version:.)\w+/, `$1${version}`));
      await page.evaluate(async () => {
        const taken = new Promise((resolve) => {
          navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
        });
        await (await navigator.serviceWorker.ready).update();
        await taken;
      });
    };
    const before = await apps();
    await update('second');
    for (const packed of ['', '.br', '.gz']) await rm(join(directory, 'assets', part + packed));
    await eventually(async () => expect(await apps()).toEqual([...before, 'app-second']));
    // Past what the browser keeps by itself.
    const statusOf = (path: string) =>
      page.evaluate(async (asked) => (await fetch(asked, { cache: 'reload' })).status, path);
    expect(await statusOf(`/assets/${part}`)).toBe(200);
    await update('third');
    await eventually(async () => expect(await apps()).toEqual(['app-second', 'app-third']));
    expect(await statusOf(`/assets/${part}`)).toBe(404);
    await close(context);
  });
});
