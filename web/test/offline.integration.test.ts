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
import { findBarriers, findLayoutIssues } from './screens/checks.ts';
import { phone } from './screens/fixture.ts';
import { badGateway, startProxy } from './support/proxy.ts';
import { startSite, webDirectory } from './support/start-site.ts';

/** The service worker on a phone: installation, offline pages and push messages. */

(await describeWith('full-chromium'))('an app with a service worker', () => {
  let network: Network;
  let browser: TestBrowser;
  /** A copy of the built web app, which a test updates. */
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'wayquest-web-'));
    await cp(webDirectory, directory, { recursive: true });
    network = await startSite({ webDirectory: directory });
    browser = await openBrowser(network.url, { kind: 'full-chromium' });
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
    await rm(directory, { recursive: true });
  });

  /** Opens a page that is controlled by the service worker. */
  const open = async (path: string, token?: string, baseURL = network.url) => {
    const { page, consoleErrors } = await browser.visitor({
      viewport: phone,
      serviceWorkers: 'allow',
      baseURL,
    });
    await page.goto('/libraries');
    if (token) await page.evaluate((cached) => localStorage.setItem('token', cached), token);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    await page.goto(path);
    return { page, context: page.context(), consoleErrors };
  };

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const banner = (page: Page) => page.getByText("You're offline. Showing the last saved version.");

  /** Returns everything in the caches: their names, URLs, headers and contents. */
  const cacheEntries = (page: Page) =>
    page.evaluate(async () => {
      const cached: { place: string; url: string; all: string }[] = [];
      for (const place of await caches.keys()) {
        const cache = await caches.open(place);
        for (const request of await cache.keys()) {
          const response = await cache.match(request);
          const headers = JSON.stringify([...request.headers, ...(response?.headers ?? [])]);
          cached.push({
            place,
            url: request.url,
            all: place + request.url + headers + (await response?.text()),
          });
        }
      }
      return cached;
    });
  const cachedResponses = async (page: Page) =>
    (await cacheEntries(page)).filter(({ place }) => place.startsWith('responses-'));

  const waitUntilCached = (page: Page, path: string, query = '') =>
    eventually(async () => {
      const urls = (await cachedResponses(page)).map(({ url }) => new URL(url));
      if (!urls.some(({ pathname, search }) => pathname === path && search.includes(query)))
        throw new Error(`${path} is not cached: ${urls}`);
    });

  /** Waits until all scripts and style sheets of the page are cached, including those whose styles are inline. */
  const waitUntilAssetsCached = (page: Page) =>
    eventually(async () => {
      const missing = await page.evaluate(async () => {
        const links = document.querySelectorAll<HTMLLinkElement>('[rel="stylesheet"], [rel="modulepreload"]');
        const assets = [...links].map(({ href }) => href);
        const cached = await Promise.all(assets.map((script) => caches.match(script, { ignoreVary: true })));
        return assets.filter((_, index) => !cached[index]);
      });
      expect(missing).toEqual([]);
    });

  const close = (context: BrowserContext) => context.close();

  it('can be installed', async () => {
    const { page, context, consoleErrors } = await open('/home');
    const session = await context.newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // Test contexts are incognito, where apps cannot be installed.
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
          return { declared: sizes, is: `${picture.width}x${picture.height}` };
        }),
      );
    });
    expect(icons.length).toBeGreaterThan(4);
    expect(icons.map(({ is }) => is)).toEqual(icons.map(({ declared }) => declared));
    expect(consoleErrors).toEqual([]);
    await close(context);
  });

  it('shows stored pages offline, states which are not stored, and reloads when it is online', async () => {
    const creator = await newUser(network);
    const stored = await newChallenge(creator);
    const notStored = await newChallenge(creator);
    const path = `/challenges/${stored.id}`;
    const { page, context } = await open(path, creator.token);
    await heading(page, stored.name).waitFor();
    await waitUntilCached(page, `/api${path}`);
    await waitUntilCached(page, '/auth/me');
    await waitUntilAssetsCached(page);

    await context.setOffline(true);
    await page.reload();
    await heading(page, stored.name).waitFor();
    await banner(page).waitFor();
    await eventually(async () => {
      // A prerendered page contains the styles of the sheets that it disables.
      const sheets = page.locator('link[rel="stylesheet"]:not([disabled])');
      expect(
        await sheets.evaluateAll((links) => links.filter((link) => !Reflect.get(link, 'sheet')).length),
      ).toBe(0);
    });
    await page.getByRole('button', { name: /'s menu/ }).waitFor();
    expect([...(await findBarriers(page)), ...(await findLayoutIssues(page))]).toEqual([]);
    await page.getByRole('button', { name: 'Join Challenge!' }).click();
    await page.getByText("Can't reach Wayquest.").waitFor();

    await page.goto(`/challenges/${notStored.id}`);
    await heading(page, 'Challenge').waitFor();
    await page.getByText("this isn't saved on your device").waitFor();
    await page.getByRole('link', { name: 'See all challenges' }).waitFor();

    await page.goto('/leaderboard');
    await heading(page, "This page isn't available offline").waitFor();
    expect([...(await findBarriers(page)), ...(await findLayoutIssues(page))]).toEqual([]);
    await page.getByRole('link', { name: 'Go to home page' }).click();
    await page.waitForURL('**/home');

    await page.goto(path);
    await banner(page).waitFor();
    const body = { ...stored, name: 'Count the bridges twice' };
    await creator.client.updateChallenge({ params: { id: stored.id }, body });
    await context.setOffline(false);
    await heading(page, 'Count the bridges twice').waitFor();
    await banner(page).waitFor({ state: 'detached' });
    await close(context);
  });

  it.each([
    ['with 502 to everything', badGateway],
    ['to nothing', 'silent'],
  ] as const)('shows stored data while a server responds %s', async (_, mode) => {
    const proxy = await startProxy(network.url);
    const creator = await newUser(network);
    const stored = await newChallenge(creator);
    const path = `/challenges/${stored.id}`;
    const { page, context } = await open(path, creator.token, proxy.url);
    await heading(page, stored.name).waitFor();
    await waitUntilCached(page, `/api${path}`);
    await waitUntilCached(page, '/auth/me');

    proxy.respondWith(mode);
    await page.goto(path, { waitUntil: 'commit' });
    await heading(page, stored.name).waitFor({ timeout: 12_000 });
    await banner(page).waitFor();
    await page.getByRole('button', { name: /'s menu/ }).waitFor();

    await creator.client.updateChallenge({ params: { id: stored.id }, body: { ...stored, name: 'Changed' } });
    proxy.respondWith('pass');
    await heading(page, 'Changed').waitFor();
    await banner(page).waitFor({ state: 'detached' });

    // Only the services are unavailable; the gateway responds.
    proxy.respondWith(mode, (url) => !/^\/(api|auth)/.test(url));
    await page.reload({ waitUntil: 'commit' });
    await heading(page, 'Changed').waitFor();
    await banner(page).waitFor();
    proxy.respondWith('pass');
    await banner(page).waitFor({ state: 'detached' });
    proxy.close();
    await close(context);
  });

  it('stores a completion made offline, shows that it is pending, and sends it after a reload online', async () => {
    const creator = await newUser(network);
    const challenge = await newChallenge(creator, { name: 'Ring the bell' });
    const path = `/challenges/${challenge.id}`;
    const participant = await newUser(network);
    await participant.client.joinChallenge({ body: challenge });
    const { page, context } = await open('/challenges', participant.token);
    const list = page.getByRole('list', { name: 'All Challenges' });
    const card = list.getByRole('article').filter({ hasText: challenge.name });
    await card.getByText("You're in").waitFor();
    await waitUntilCached(page, '/api/challenges/', 'scope=all');
    await waitUntilCached(page, '/api/challengeLine/', 'limit=500');
    await waitUntilAssetsCached(page);
    await page.goto(path);
    const complete = page.getByRole('button', { name: 'Mark as Complete' });
    await complete.waitFor();
    await waitUntilCached(page, `/api${path}`);
    await waitUntilCached(page, '/auth/me');

    await context.setOffline(true);
    await banner(page).waitFor();
    await complete.click();
    const pendingNotice = page.getByText("Completed. It's sent as soon as you're online.");
    await pendingNotice.waitFor();
    await complete.waitFor({ state: 'detached' });
    // Visible at the position of the button.
    expect((await pendingNotice.boundingBox())?.y).toBeLessThan(phone.height);
    expect([...(await findBarriers(page)), ...(await findLayoutIssues(page))]).toEqual([]);
    expect(await participant.client.listParticipations()).toMatchObject([{ completed: false }]);
    // This page was opened by its URL only, so its styles were inline.
    await page.getByRole('link', { name: 'Challenges', exact: true }).click();
    await card.getByText('Waiting to be sent').waitFor();

    await context.setOffline(false);
    await page.goto(path);
    await page.getByText("Completed. You've earned the points.").waitFor();
    expect(await participant.client.listParticipations()).toMatchObject([{ completed: true }]);
    await close(context);
  });

  it('checks in without a network although this browser never asked for the position before (Z2)', async () => {
    const position = { lat: 40.75, lng: -73.82 };
    const creator = await newUser(network);
    const challenge = await newChallenge(creator, { position, checkInRequired: true });
    const participant = await newUser(network);
    await participant.client.joinChallenge({ body: challenge });
    const { page, context } = await open(`/challenges/${challenge.id}`, participant.token);
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation({ latitude: position.lat, longitude: position.lng, accuracy: 10 });
    await waitUntilCached(page, '/auth/me');
    await waitUntilCached(page, `/api/challenges/${challenge.id}`);
    await waitUntilCached(page, '/api/challengeLine/', `challengeId=${challenge.id}&userId=`);
    await waitUntilAssetsCached(page);
    await context.setOffline(true);
    await page.reload();
    await banner(page).waitFor();
    await page.getByRole('button', { name: 'Mark as Complete' }).click();
    await page.getByText("Completed. It's sent as soon as you're online.").waitFor();
    await context.setOffline(false);
    await eventually(async () =>
      expect(await participant.client.listParticipations()).toMatchObject([
        { completed: true, checkedIn: true },
      ]),
    );
    await close(context);
  });

  it('keeps for members what they need without a network, also what they have not opened yet (Z2)', async () => {
    const user = await newUser(network);
    const { page, context } = await open('/libraries', user.token);
    await page.reload();
    const parts = ['member-sagas', 'ChallengeDetail', 'Completion', 'Log', 'Messenger', 'UnsentBar'];
    await eventually(async () => {
      const urls = (await cacheEntries(page)).map(({ url }) => url);
      expect(parts.filter((part) => !urls.some((url) => url.includes(`/assets/${part}-`)))).toEqual([]);
    });
    await close(context);
  });

  it('shows stored responses although the device’s clock is days ahead of the server’s (Y6)', async () => {
    const creator = await newUser(network);
    const challenge = await newChallenge(creator, { name: 'Eight days ago' });
    const proxy = await startProxy(network.url, { dateOffsetMs: -8 * 24 * 3_600_000 });
    const { page, context } = await open(`/challenges/${challenge.id}`, undefined, proxy.url);
    await heading(page, challenge.name).waitFor();
    await page.reload();
    await waitUntilCached(page, `/api/challenges/${challenge.id}`);
    proxy.respondWith(badGateway);
    await page.reload({ waitUntil: 'commit' });
    await heading(page, challenge.name).waitFor();
    await banner(page).waitFor();
    proxy.close();
    await close(context);
  });

  it('loads pages if the caches can be neither read nor written', async () => {
    const creator = await newUser(network);
    const stored = await newChallenge(creator);
    const { page, context } = await open('/home');
    const worker = context.serviceWorkers()[0];
    await worker?.evaluate(() => {
      for (const name of ['match', 'open', 'has', 'keys', 'delete'] as const)
        Reflect.set(CacheStorage.prototype, name, () =>
          Promise.reject(new DOMException('', 'SecurityError')),
        );
    });
    await page.goto(`/challenges/${stored.id}`);
    await heading(page, stored.name).waitFor();
    await page.getByRole('link', { name: 'Leaderboard', exact: true }).click();
    await heading(page, 'Leaderboard').waitFor();
    await close(context);
  });

  it('a pressed notification navigates the open tab without a reload, only within the app', async () => {
    const { page, context, consoleErrors } = await open('/login');
    await context.grantPermissions(['notifications']);
    await page.locator('#root:not([data-prerendered])').waitFor({ state: 'attached' });
    await page.locator('form [name="username"]').fill('half a na');
    await page.evaluate(() => {
      document.body.dataset.loaded = 'once';
    });
    const worker = context.serviceWorkers()[0];
    const press = (data: unknown) =>
      worker?.evaluate(async (url) => {
        // Browsers allow focusing a window only after a user's action.
        const { prototype } = Reflect.get(self, 'WindowClient');
        prototype.focus = async function focus() {
          return this;
        };
        const opened: string[] = [];
        Reflect.get(self, 'Clients').prototype.openWindow = async (address: string) => {
          opened.push(address);
          return null;
        };
        const registration: ServiceWorkerRegistration = Reflect.get(self, 'registration');
        await registration.showNotification('Maya', { data: url });
        const [notification] = await registration.getNotifications();
        const event = new Event('notificationclick');
        const waiting: Promise<unknown>[] = [];
        Object.assign(event, { notification, waitUntil: (done: Promise<unknown>) => waiting.push(done) });
        self.dispatchEvent(event);
        await Promise.all(waiting);
        return opened;
      }, data);
    expect(await press('/challenges?near=1')).toEqual([]);
    await heading(page, 'Challenges').waitFor();
    expect(new URL(page.url()).search).toBe('?near=1');
    expect(await page.evaluate(() => document.body.dataset.loaded)).toBe('once');
    await page.goBack();
    await page.locator('form [name="username"]').waitFor();
    expect(await page.evaluate(() => document.body.dataset.loaded)).toBe('once');

    for (const elsewhere of ['https://evil.example/home', '//evil.example/', 'javascript:alert(1)', 7]) {
      expect(await press(elsewhere)).toEqual([]);
      await page.waitForURL(`${network.url}/home`);
      await page.goBack();
      await page.waitForURL('**/login');
    }
    expect(consoleErrors).toEqual([]);

    // Without an open tab, a window of the app is opened.
    await page.goto('about:blank');
    expect(await press('/friends')).toEqual(['/friends']);
    expect(await press('https://evil.example/friends')).toEqual(['/home']);
    await close(context);
  });

  it('stores responses of one user only, and none after logout', async () => {
    const maya = await newUser(network);
    const theo = await newUser(network);
    const { page, context } = await open('/profile', maya.token);
    await heading(page, maya.username).waitFor();
    await waitUntilCached(page, '/auth/me');
    const cached = (await cacheEntries(page)).map(({ all }) => all).join();
    expect([cached.includes(maya.username), cached.includes(maya.token)]).toEqual([true, false]);

    await context.setOffline(true);
    await page.evaluate((token) => localStorage.setItem('token', token), theo.token);
    await page.reload();
    await heading(page, "This page isn't available offline").waitFor();
    expect(await page.getByText(maya.username).count()).toBe(0);
    await context.setOffline(false);
    await heading(page, theo.username).waitFor();
    await eventually(async () => {
      const all = (await cachedResponses(page)).map((respondWith) => respondWith.all).join();
      expect([all.includes(theo.username), all.includes(maya.username)]).toEqual([true, false]);
    });

    await page.getByRole('button', { name: /'s menu/ }).click();
    await page.getByText('Logout').click();
    await page.waitForURL('**/login');
    await eventually(async () => expect(await cachedResponses(page)).toEqual([]));
    await close(context);
  });

  it('shows every push message, also with invalid data, and links only to the app', async () => {
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
    // Messages to a worker that is not active are lost.
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    const push = async (data: string) => {
      await session.send('ServiceWorker.deliverPushMessage', { origin: network.url, registrationId, data });
    };
    // Chromium forgets a notification that is read while the system is still displaying it. So the test
    // waits until the worker has shown all of them, and reads them once.
    const worker = context.serviceWorkers()[0];
    await worker?.evaluate(() => {
      const registration: ServiceWorkerRegistration = Reflect.get(self, 'registration');
      const show = registration.showNotification.bind(registration);
      let shown = 0;
      Reflect.set(registration, 'showNotification', async (...args: Parameters<typeof show>) => {
        await show(...args);
        shown += 1;
        Reflect.set(self, 'shownNotifications', shown);
      });
    });
    await push(
      JSON.stringify({ title: 'Maya asks', body: 'to be friends', url: '/friends?new=1', tag: 'ask-1' }),
    );
    await push(JSON.stringify({ title: 'Somewhere else', url: 'https://evil.example/home', tag: 7 }));
    await push('nonsense');
    await eventually(async () =>
      expect(await worker?.evaluate(() => Reflect.get(self, 'shownNotifications'))).toBe(3),
    );
    const shown = await page.evaluate(async () => {
      const notifications = await (await navigator.serviceWorker.ready).getNotifications();
      return notifications
        .map(({ title, body, tag, data }) => ({ title, body, tag, data }))
        .toSorted((a, b) => a.title.localeCompare(b.title));
    });
    expect(shown).toEqual([
      { title: 'Maya asks', body: 'to be friends', tag: 'ask-1', data: '/friends?new=1' },
      { title: 'Somewhere else', body: '', tag: '', data: '/home' },
      { title: 'Wayquest', body: '', tag: '', data: '/home' },
    ]);
    await close(context);
  });

  it('keeps scripts of the previous build, and deletes those of older ones, when a new build takes over', async () => {
    const { page, context } = await open('/challenges');
    await heading(page, 'Challenges').waitFor();
    const assets = await readdir(join(directory, 'assets'));
    const script = String(assets.find((name) => /^ChallengesPage-.*\.js$/.test(name)));
    const appCaches = async () => {
      const places = await page.evaluate(() => caches.keys());
      return places.filter((place) => place.startsWith('app-'));
    };
    const workers = () =>
      page.evaluate(async () => {
        const { installing, waiting, active } = await navigator.serviceWorker.ready;
        return [installing, waiting, active].flatMap((worker) => worker?.state ?? []);
      });
    const devTools = await context.newCDPSession(page);
    let versions: { versionId: string; status: string }[] = [];
    devTools.on('ServiceWorker.workerVersionUpdated', (event) => {
      const isOther = ({ versionId }: { versionId: string }) =>
        event.versions.every((version) => version.versionId !== versionId);
      versions = [...versions.filter(isOther), ...event.versions];
    });
    await devTools.send('ServiceWorker.enable');
    /** A new worker waits until the previous one is stopped for being idle, which DevTools can prevent. */
    const stopPreviousWorker = async () => {
      if (!versions.some(({ status }) => status === 'installed')) return;
      for (const { versionId, status } of versions)
        if (status === 'activated') await devTools.send('ServiceWorker.stopWorker', { versionId });
    };
    const update = async (version: string) => {
      const file = join(directory, 'sw.js');
      await writeFile(file, (await readFile(file, 'utf8')).replace(/(version:.)\w+/, `$1${version}`));
      // A browser that is checking for an update already responds with the result of that check, which may have
      // begun before the new build was written. So the test requests it until it is found.
      await eventually(async () => {
        await page.evaluate(async () => {
          await (await navigator.serviceWorker.ready).update();
        });
        expect(await appCaches()).toContain(`app-${version}`);
      });
      await eventually(async () => {
        await stopPreviousWorker();
        expect(await workers()).toEqual(['activated']);
      });
    };
    const before = await appCaches();
    // As version 0.1.0 called the responses of a session.
    await page.evaluate(() => caches.open('answers-visitor'));
    await update('second');
    expect(await page.evaluate(() => caches.has('answers-visitor'))).toBe(false);
    await eventually(async () => expect(await appCaches()).toEqual([...before, 'app-second']));
    for (const suffix of ['', '.br', '.gz']) await rm(join(directory, 'assets', script + suffix));
    // Bypasses the browser's HTTP cache.
    const statusOf = (path: string) =>
      page.evaluate(async (url) => (await fetch(url, { cache: 'reload' })).status, path);
    expect(await statusOf(`/assets/${script}`)).toBe(200);
    await update('third');
    await eventually(async () => expect(await appCaches()).toEqual(['app-second', 'app-third']));
    expect(await statusOf(`/assets/${script}`)).toBe(404);
    await close(context);
  });
});
