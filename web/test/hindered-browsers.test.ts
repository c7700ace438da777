import {
  befriend,
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  type TestBrowser,
  testPassword,
} from '@wayquest/testing';
import type { Page, Route } from 'playwright-core';
import { badGateway, startProxy, type TestProxy } from './support/proxy.ts';
import { startSite } from './support/start-site.ts';

/** Browsers that block storage or translate the page, and proxies on the way that answer for the server. */

(await describeWith('chromium'))('in a restricted browser', () => {
  let network: Network;
  let browser: TestBrowser;
  let noSockets: TestProxy;

  beforeAll(async () => {
    network = await startSite();
    browser = await openBrowser(network.url);
    noSockets = await startProxy(network.url, { webSockets: false });
  });
  afterAll(async () => {
    await browser?.close();
    noSockets?.close();
    await network?.stop();
  });

  const open = async (path: string, prepare: (page: Page) => Promise<unknown>, options = {}) => {
    const visitor = await browser.visitor(options);
    // The map's tiles are another's; without a network they would be errors in the console.
    await visitor.page.route(/^https:/, (route) => route.fulfill({ status: 204 }));
    await prepare(visitor.page);
    await visitor.page.goto(path);
    return visitor;
  };
  const asMember = (token: string) => (page: Page) =>
    page.addInitScript((kept) => localStorage.setItem('token', kept), token);
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const logIn = async (page: Page, username: string) => {
    // Not by its label, which may be translated.
    const form = page.locator('form:has([name="password"])');
    await form.locator('[name="username"]').fill(username);
    await form.locator('[name="password"]').fill(testPassword);
    await form.locator('[type="submit"]').click();
  };

  const blocked = {
    'reading them throws': () => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('The request is denied', 'SecurityError');
          },
        });
    },
    'they are null': () => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { value: null });
    },
    'each of their methods throws': () => {
      for (const name of ['getItem', 'setItem', 'removeItem', 'clear'] as const)
        Storage.prototype[name] = () => {
          throw new DOMException('The request is denied', 'SecurityError');
        };
    },
    'they are full': () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
      };
    },
  };

  it.each(Object.entries(blocked))('field case 7: shows pages and logs in where %s', async (_, block) => {
    const user = await newUser(network);
    const challenge = await newChallenge(user);
    const { page, consoleErrors } = await open(`/challenges/${challenge.id}`, (page) =>
      page.addInitScript(block),
    );
    await heading(page, challenge.name).waitFor();
    await page.getByRole('link', { name: 'Explore', exact: true }).click();
    await page.waitForURL(/\/explore/i);
    await page.getByRole('link', { name: 'Log In', exact: true }).click();
    await logIn(page, user.username);
    await page.getByRole('button', { name: `${user.username}'s menu` }).click();
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await heading(page, user.username).waitFor();
    await page.getByRole('link', { name: 'Notifications', exact: true }).click();
    await heading(page, 'Notifications').waitFor();
    expect(consoleErrors).toEqual([]);
    await page.context().close();
  });

  it('field case 7: works if workers, notifications, databases and channels throw or are missing', async () => {
    const user = await newUser(network);
    const { page, consoleErrors } = await open(
      '/notifications',
      async (page) => {
        await asMember(user.token)(page);
        await page.addInitScript(() => {
          const denied = {
            configurable: true,
            get: () => {
              throw new DOMException('The request is denied', 'SecurityError');
            },
          };
          Object.defineProperty(Navigator.prototype, 'serviceWorker', denied);
          for (const name of ['caches', 'indexedDB']) Object.defineProperty(window, name, denied);
          for (const name of ['Notification', 'BroadcastChannel']) Reflect.deleteProperty(window, name);
        });
      },
      { serviceWorkers: 'allow' },
    );
    await heading(page, 'Notifications').waitFor();
    const push = page.getByRole('switch', { name: 'Push notifications' });
    await eventually(async () => expect(await push.isDisabled()).toBe(true));
    await page.getByRole('button', { name: /'s menu/ }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    expect(consoleErrors).toEqual([]);
    await page.context().close();
  });

  const foreign: [string, (route: Route) => Promise<void>][] = [
    ['a page of a proxy', (route) => route.fulfill(badGatewayOf(badGateway.body))],
    ['nothing at all', (route) => route.fulfill({ ...badGatewayOf(''), contentType: 'text/html' })],
    [
      'plain text',
      (route) =>
        route.fulfill({
          status: 503,
          contentType: 'text/plain',
          body: 'upstream connect error: <b>reset</b>',
        }),
    ],
    [
      'half of some JSON',
      (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"title": "Unexp' }),
    ],
    [
      'another JSON',
      (route) =>
        route.fulfill({
          status: 502,
          contentType: 'application/problem+json',
          body: '{"title": "SomeFault", "status": 502, "message": "ECONNREFUSED"}',
        }),
    ],
    [
      'a login page of a hotspot',
      (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Hotel WiFi</h1>' }),
    ],
    [
      'JSON of somebody else',
      (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{"ok": true}' }),
    ],
    [
      'half of a good answer',
      (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '[{"id": 1' }),
    ],
  ];
  const badGatewayOf = (body: string) => ({ status: 502, contentType: 'text/html', body });

  it.each(foreign)('field case 8: uses plain words when a call gets %s', async (_, answer) => {
    const { page } = await open('/challenges', async (page) => {
      await page.route('**/api/challenges/**', answer);
      await page.route('**/auth/login', answer);
    });
    const main = page.getByRole('main');
    const sentence = main.getByText('Wayquest is temporarily unavailable. Please try again.');
    await sentence.waitFor();
    expect(await main.textContent()).not.toMatch(/[<{]|nginx|JSON|WiFi|upstream|SomeFault/);

    // Who answers for the service does so for what is sent as well.
    await page.getByRole('link', { name: 'Log In', exact: true }).click();
    await logIn(page, 'maya');
    await sentence.waitFor();
    expect(await main.textContent()).not.toMatch(/[<{]|nginx|JSON|WiFi|upstream|SomeFault/);
    await page.context().close();
  });

  it('field case 8: uses the language of the person', async () => {
    const { page } = await open(
      '/challenges',
      (page) => page.route('**/api/challenges/**', (route) => route.fulfill(badGatewayOf(badGateway.body))),
      { locale: 'zh-CN' },
    );
    await page.getByText('Wayquest 暂时无法使用，请再试一次。').waitFor();
    await page.context().close();
  });

  it('field case 9: times out calls and parts of the app that get no response, and says so', async () => {
    const { page } = await open('/libraries', async (page) => {
      await page.clock.install();
      await page.route('**/api/challenges/**', () => {});
    });
    await heading(page, 'Libraries').waitFor();
    await page.locator('#root:not([data-drawn])').waitFor({ state: 'attached' });
    const asked = page.waitForRequest('**/api/challenges/**');
    await page.getByRole('link', { name: 'Challenges', exact: true }).click();
    await asked;
    await page.clock.fastForward(16_000);
    await page.getByText("Can't reach Wayquest.").waitFor();

    await page.route('**/assets/Leaderboard-*.js', () => {});
    const part = page.waitForRequest('**/assets/Leaderboard-*.js');
    await page.getByRole('link', { name: 'Leaderboard', exact: true }).click();
    await part;
    await page.clock.fastForward(21_000);
    await page.getByText("This page couldn't be loaded.").waitFor();
    await page.context().close();
  });

  it('field case 1: delivers messages live if a proxy rejects every WebSocket', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    await befriend(ann, bob);
    const refused: string[] = [];
    const { page } = await open(
      '/friends',
      async (page) => {
        page.on('websocket', (socket) => refused.push(socket.url()));
        await asMember(bob.token)(page);
      },
      { baseURL: noSockets.url },
    );
    await page.getByRole('button', { name: 'Send Message' }).click();
    await page.waitForURL(/\/messenger\/\d+$/);
    const id = Number(page.url().split('/').at(-1));
    const polled = page.waitForResponse(
      (response) => /transport=polling.*sid=/.test(response.url()) && response.ok(),
    );
    await polled;
    expect(refused).not.toEqual([]);
    await ann.client.sendMessage({
      body: { conversationId: id, text: 'Over any proxy', clientId: crypto.randomUUID() },
    });
    await page.getByText('Over any proxy').first().waitFor({ timeout: 25_000 });
    // What is said over the socket gets there as well.
    const { page: hers } = await open(`/messenger/${id}`, asMember(ann.token));
    await hers.getByText('Online', { exact: true }).first().waitFor();
    await page.getByPlaceholder('write something...').fill('Here too');
    await hers.getByText(`${bob.username} is typing…`).waitFor();
    await page.keyboard.press('Enter');
    await hers.getByText('Here too').first().waitFor();
    await page.context().close();
    await hers.context().close();
  });

  /** As a browser's translation does it, also with all that comes later. */
  const translate = (page: Page, way: string) =>
    page.evaluate((how) => {
      const seen = new WeakSet<Node>();
      const wrap = (node: Node) => {
        const { parentNode } = node;
        if (!(parentNode instanceof HTMLElement) || !node.nodeValue?.trim() || seen.has(node)) return;
        if (parentNode.closest('font, script, style, svg, textarea, option')) return;
        const font = document.createElement('font');
        const copy = document.createTextNode(`«${node.nodeValue}»`);
        seen.add(copy);
        if (how === 'replaced') parentNode.replaceChild(font, node);
        if (how === 'inserted') {
          parentNode.insertBefore(font, node);
          parentNode.removeChild(node);
        }
        if (how === 'removed first') {
          const { nextSibling } = node;
          parentNode.removeChild(node);
          parentNode.insertBefore(font, nextSibling);
        }
        font.appendChild(copy);
      };
      const wrapAll = (root: Node) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts: Node[] = [];
        while (walker.nextNode()) texts.push(walker.currentNode);
        for (const text of texts) wrap(text);
      };
      wrapAll(document.body);
      // What comes later is translated with some delay, as it is by browsers.
      new MutationObserver((records) => {
        for (const { addedNodes } of records)
          for (const node of addedNodes)
            setTimeout(() => {
              if (!node.isConnected) return;
              if (node instanceof Text) wrap(node);
              else wrapAll(node);
            });
      }).observe(document.body, { childList: true, subtree: true });
    }, way);

  it.each(['replaced', 'inserted', 'removed first'])(
    'field case 24: updates text in a translated page whose texts are %s',
    async (way) => {
      const [maya, ...others] = [await newUser(network), await newUser(network), await newUser(network)];
      const challenge = await newChallenge(maya);
      const { page, consoleErrors } = await open('/FriendsInvitation', asMember(maya.token));
      const ask = (index: number) => others[index]?.client.requestFriend({ body: { friendId: maya.me.id } });
      await ask(0);
      const menu = page.getByRole('button', { name: /'s menu/ });
      const badge = page.getByText(/^«?1»?.*new/).first();
      await badge.waitFor();
      await translate(page, way);
      await ask(1);
      await eventually(async () => expect(await menu.textContent()).toMatch(/2\D*new/));

      // Lists, labels of buttons, dialogs, toasts and errors of forms, on one page after the other.
      await page
        .getByRole('button', { name: /^Accept/ })
        .first()
        .click();
      await eventually(async () => expect(await menu.textContent()).toMatch(/1\D*new/));
      await page.getByRole('button', { name: /^Accept/ }).click();
      await page.getByText('No pending requests').waitFor();
      await eventually(async () => expect(await menu.textContent()).not.toContain('new'));
      await page.getByRole('link', { name: /^«?Challenges»?$/ }).click();
      await page.getByRole('link', { name: challenge.name }).first().click();
      await heading(page, challenge.name).waitFor();
      await page.getByRole('button', { name: 'Join Challenge!' }).click();
      await page.getByRole('button', { name: 'Join Challenge!' }).waitFor({ state: 'detached' });
      await maya.client.updateChallenge({
        params: { id: challenge.id },
        body: { ...challenge, name: 'Count the bridges twice' },
      });
      await heading(page, 'Count the bridges twice').waitFor();
      await menu.click();
      await page.getByRole('button', { name: 'Logout' }).click();
      await page.waitForURL('**/login');
      await logIn(page, 'nobody-there');
      await page.getByText('That username and password do not match.').waitFor();
      expect(consoleErrors.filter((text) => !/status of 401/.test(text))).toEqual([]);
      await page.context().close();
    },
  );

  it('keeps a member’s menu, holds what needs an account, and says so, while the account cannot be loaded', async () => {
    const [maker, walker] = [await newUser(network), await newUser(network)];
    const challenge = await newChallenge(maker);
    let isFailing = true;
    const answer = (route: Route) =>
      isFailing
        ? route.fulfill({ status: 500, contentType: 'text/plain', body: 'Something went wrong.' })
        : route.continue();
    const { page } = await open(`/challenges/${challenge.id}`, async (prepared) => {
      await asMember(walker.token)(prepared);
      await prepared.route('**/auth/me', answer);
    });
    await heading(page, challenge.name).waitFor();
    const notice = page.getByText("We can't reach your account right now. Trying again…");
    await notice.waitFor();
    await page.getByRole('button', { name: 'Your menu' }).click();
    await page.getByText('Logout').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Join Challenge!' }).isDisabled()).toBe(true);

    isFailing = false;
    await page.getByRole('link', { name: 'Leaderboard', exact: true }).click();
    await page.getByRole('button', { name: `${walker.username}'s menu` }).waitFor();
    await notice.waitFor({ state: 'detached' });
    await page.context().close();
  });
});
