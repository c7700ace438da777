import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  pressKey,
  type TestBrowser,
} from '@wayquest/testing';
import { findBarriers } from './screens/checks.ts';
import { startSite } from './support/start-site.ts';

(await describeWith('full-chromium'))('notifications', () => {
  let network: Network;
  let browser: TestBrowser;
  let pushService: Server;
  let pushed = 0;
  beforeAll(async () => {
    pushService = createServer((_, response) => {
      pushed += 1;
      response.writeHead(201).end();
    });
    await new Promise<void>((resolve) => pushService.listen(0, '127.0.0.1', resolve));
    network = await startSite({
      settings: { PUSH_SERVICES: origin() },
      notifications: { pushDelayMs: 100 },
    });
    browser = await openBrowser(network.url, { kind: 'full-chromium' });
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
    pushService?.close();
  });

  const origin = () => `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`;

  it('appear live in the tab’s title and at the bell, and are marked as read when their link is opened', async () => {
    const [creator, ann, bob] = [await newUser(network), await newUser(network), await newUser(network)];
    const challenge = await newChallenge(creator, { name: 'The old mill' });
    const { page, consoleErrors } = await browser.visitor({
      viewport: { width: 390, height: 844 },
      token: creator.token,
    });
    await page.goto('/leaderboard');
    await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
    expect(await page.title()).toMatch(/^[^(]/);

    await ann.client.joinChallenge({ body: { challengeId: challenge.id } });
    await pressKey(page.getByRole('link', { name: '1 unread notification' }));
    await page.getByRole('link', { name: `${ann.username} joined your challenge “The old mill”.` }).waitFor();
    await eventually(async () => expect(await page.title()).toBe('(1) Notifications · Wayquest'));
    expect(await findBarriers(page)).toEqual([]);

    await bob.client.joinChallenge({ body: { challengeId: challenge.id } });
    const groupedLink = page.getByRole('link', { name: `${bob.username} and ${ann.username} joined` });
    await pressKey(groupedLink);
    await page.getByRole('heading', { level: 1, name: 'The old mill' }).waitFor();
    await eventually(async () => expect(await page.title()).toMatch(/^[^(]/));
    await eventually(async () =>
      expect(await creator.client.countUnreadNotifications()).toEqual({ unread: 0 }),
    );

    await page.goBack();
    await groupedLink.waitFor();
    await eventually(() => page.getByRole('button', { name: 'Mark all as read' }).isDisabled());
    await pressKey(page.getByRole('switch', { name: 'Someone joins your challenge' }), 'Space');
    await eventually(async () =>
      expect(await creator.client.getNotificationPreferences()).toMatchObject({ 'challenge-joined': false }),
    );
    expect(consoleErrors).toEqual([]);
  });

  /**
   * Opens a browser of a new user whose push subscription has another key than the server's.
   * @returns the endpoints that the page has sent to the server, and that of a subscription with the server's key.
   */
  const openWithOtherKey = async () => {
    const { client, me, token } = await newUser(network);
    const { page } = await browser.visitor({ permissions: ['notifications'], serviceWorkers: 'allow' });
    const endpoint = `${origin()}/of/key`;
    const stored = { userId: me.id, login: token.slice(-16), sentAt: Date.now() };
    const initial = { token, key: `B${'x'.repeat(86)}`, stored, endpoint };
    await page.addInitScript((initial) => {
      localStorage.setItem('token', initial.token);
      if (!sessionStorage.getItem('began'))
        localStorage.setItem('wayquest-push', JSON.stringify(initial.stored));
      sessionStorage.setItem('began', 'yes');
      const bytes = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
          character.charCodeAt(0),
        ).buffer;
      const keys = {
        p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        auth: btoa('k'.repeat(16)).replaceAll('=', ''),
      };
      const current = () => sessionStorage.getItem('key') ?? initial.key;
      const subscription = () => ({
        toJSON: () => ({ endpoint: `${initial.endpoint}/${current().slice(-8)}`, keys }),
        options: { applicationServerKey: bytes(current()) },
        unsubscribe: async () => {
          sessionStorage.setItem('key', '');
          return true;
        },
      });
      PushManager.prototype.getSubscription = async () =>
        current() ? (subscription() as unknown as PushSubscription) : null;
      PushManager.prototype.subscribe = async (options) => {
        const requestedKey = String(options?.applicationServerKey);
        // As in browsers.
        if (current() && current() !== requestedKey)
          throw new DOMException('Another key is subscribed', 'InvalidStateError');
        sessionStorage.setItem('key', requestedKey);
        return subscription() as unknown as PushSubscription;
      };
    }, initial);
    const postedEndpoints: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('push'))
        postedEndpoints.push(request.postDataJSON().endpoint);
    });
    const { key } = await client.getPushKey();
    return { page, postedEndpoints, newEndpoint: `${endpoint}/${key.slice(-8)}` };
  };

  it('are subscribed again if the browser’s subscription has another key', async () => {
    const { page, postedEndpoints, newEndpoint } = await openWithOtherKey();
    await page.goto('/notifications');
    const push = page.getByRole('switch', { name: 'Push notifications' });
    await eventually(() => expect(postedEndpoints).toEqual([newEndpoint]));
    await eventually(async () => expect(await push.isChecked()).toBe(true));
    // An unchanged subscription is not posted again.
    await page.reload();
    await eventually(async () => expect(await push.isChecked()).toBe(true));
    expect(postedEndpoints).toHaveLength(1);
  });

  it('are off if the browser cannot subscribe again, and on once it can', async () => {
    const { page, postedEndpoints, newEndpoint } = await openWithOtherKey();
    await page.addInitScript(() => {
      const subscribe = PushManager.prototype.subscribe;
      PushManager.prototype.subscribe = async function (options) {
        if (!sessionStorage.getItem('may')) throw new DOMException('no push service', 'AbortError');
        return subscribe.call(this, options);
      };
    });
    await page.goto('/notifications');
    const push = page.getByRole('switch', { name: 'Push notifications' });
    await eventually(() => page.evaluate(() => sessionStorage.getItem('key') === ''));
    await eventually(async () => expect(await push.isEnabled()).toBe(true));
    await eventually(async () => expect(await push.isChecked()).toBe(false));
    await page.evaluate(() => sessionStorage.setItem('may', 'yes'));
    await pressKey(push, 'Space');
    await eventually(async () => expect(await push.isChecked()).toBe(true));
    expect(postedEndpoints).toEqual([newEndpoint]);
  });

  it('that the device still shows are closed once they are read, here or on another device (Q21)', async () => {
    const [creator, ann] = [await newUser(network), await newUser(network)];
    const challenges = [
      await newChallenge(creator),
      await newChallenge(creator),
      await newChallenge(creator),
    ];
    for (const { id } of challenges) await ann.client.joinChallenge({ body: { challengeId: id } });
    const list = () => creator.client.listNotifications();
    await eventually(async () => expect(await list()).toHaveLength(3));
    const ids = (await list()).map(({ id }) => id);
    const { page } = await browser.visitor({ permissions: ['notifications'], serviceWorkers: 'allow' });
    await page.goto('/libraries');
    await page.evaluate((token) => localStorage.setItem('token', token), creator.token);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    const shown = () =>
      page.evaluate(async () => {
        const { getNotifications } = await navigator.serviceWorker.ready.then((registration) => ({
          getNotifications: () => registration.getNotifications(),
        }));
        return (await getNotifications()).map(({ tag }) => tag).sort();
      });
    await page.evaluate(async (tags) => {
      const registration = await navigator.serviceWorker.ready;
      for (const tag of tags) await registration.showNotification('Somebody joined', { tag });
    }, ids);
    await eventually(async () => expect(await shown()).toEqual(ids.toSorted()));
    const [first = '', ...others] = ids;
    await creator.client.markNotificationsRead({ body: { id: first } });
    await page.goto('/notifications');
    await eventually(async () => expect(await shown()).toEqual(others.toSorted()));
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await eventually(async () => expect(await shown()).toEqual([]));
  });

  it('are pushed if the user switches that on, until they log out', async () => {
    const [creator, ann] = [await newUser(network), await newUser(network)];
    const { page } = await browser.visitor({
      permissions: ['notifications'],
      serviceWorkers: 'allow',
    });
    await page.addInitScript((token) => {
      if (!sessionStorage.getItem('began')) localStorage.setItem('token', token);
      sessionStorage.setItem('began', 'yes');
    }, creator.token);
    // Browsers use the push service of their vendor; here it is a local server.
    await page.addInitScript((endpoint) => {
      const bytes = (length: number) => btoa('k'.repeat(length)).replaceAll('=', '');
      const keys = {
        p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        auth: bytes(16),
      };
      const isOn = () => localStorage.getItem('subscribed') === 'yes';
      const subscription = {
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => localStorage.removeItem('subscribed'),
      };
      PushManager.prototype.getSubscription = async () =>
        isOn() ? (subscription as unknown as PushSubscription) : null;
      PushManager.prototype.subscribe = async () => {
        localStorage.setItem('subscribed', 'yes');
        return subscription as unknown as PushSubscription;
      };
    }, `${origin()}/of/this/browser`);
    await page.goto('/notifications');
    const push = page.getByRole('switch', { name: 'Push notifications' });
    await eventually(async () => expect(await push.isEnabled()).toBe(true));
    await pressKey(push, 'Space');
    await eventually(async () => expect(await push.isChecked()).toBe(true));

    const challenge = await newChallenge(creator);
    await ann.client.joinChallenge({ body: { challengeId: challenge.id } });
    await eventually(() => expect(pushed).toBe(1));

    await page.getByRole('button', { name: /'s menu/ }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    await eventually(async () =>
      expect(await page.evaluate(() => localStorage.getItem('subscribed'))).toBeNull(),
    );
  });
});
