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
  type VisitorOptions,
} from '@wayquest/testing';
import type { Page, Route } from 'playwright-core';
import { badGateway, startProxy, type TestProxy } from './support/proxy.ts';
import { startSite } from './support/start-site.ts';

/** Browsers that block storage or translate the page, and proxies on the way that answer for the server. */

(await describeWith('chromium'))('the app in a restricted browser', () => {
  let network: Network;
  let browser: TestBrowser;
  let proxyWithoutWebSockets: TestProxy;

  beforeAll(async () => {
    network = await startSite();
    browser = await openBrowser(network.url);
    proxyWithoutWebSockets = await startProxy(network.url, { webSockets: false });
  });
  afterAll(async () => {
    await browser?.close();
    proxyWithoutWebSockets?.close();
    await network?.stop();
  });

  /** Opens a page; `prepare` is called before it is loaded. */
  const open = async (
    path: string,
    { prepare, ...options }: VisitorOptions & { prepare?: (page: Page) => Promise<unknown> },
  ) => {
    const visitor = await browser.visitor(options);
    await prepare?.(visitor.page);
    await visitor.page.goto(path);
    return visitor;
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const logIn = async (page: Page, username: string) => {
    // Not found by labels, which may be translated.
    const form = page.locator('form:has([name="password"])');
    await form.locator('[name="username"]').fill(username);
    await form.locator('[name="password"]').fill(testPassword);
    await form.locator('[type="submit"]').click();
  };

  const blocked = {
    'reading the storages throws': () => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('The request is denied', 'SecurityError');
          },
        });
    },
    'the storages are null': () => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { value: null });
    },
    'each storage method throws': () => {
      for (const name of ['getItem', 'setItem', 'removeItem', 'clear'] as const)
        Storage.prototype[name] = () => {
          throw new DOMException('The request is denied', 'SecurityError');
        };
    },
    'the storages are full': () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
      };
    },
  };

  it.each(Object.entries(blocked))('field case 7: shows pages and logs in if %s', async (_, blockStorage) => {
    const user = await newUser(network);
    const challenge = await newChallenge(user);
    const { page, consoleErrors } = await open(`/challenges/${challenge.id}`, {
      prepare: (prepared) => prepared.addInitScript(blockStorage),
    });
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
  });

  it('field case 7: shows a page and logs out if service workers, caches, databases, notifications and channels are unavailable', async () => {
    const user = await newUser(network);
    const { page, consoleErrors } = await open('/notifications', {
      token: user.token,
      serviceWorkers: 'allow',
      prepare: (prepared) =>
        prepared.addInitScript(() => {
          const denied = {
            configurable: true,
            get: () => {
              throw new DOMException('The request is denied', 'SecurityError');
            },
          };
          Object.defineProperty(Navigator.prototype, 'serviceWorker', denied);
          for (const name of ['caches', 'indexedDB']) Object.defineProperty(window, name, denied);
          for (const name of ['Notification', 'BroadcastChannel']) Reflect.deleteProperty(window, name);
        }),
    });
    await heading(page, 'Notifications').waitFor();
    const push = page.getByRole('switch', { name: 'Push notifications' });
    await eventually(async () => expect(await push.isDisabled()).toBe(true));
    await page.getByRole('button', { name: /'s menu/ }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    expect(consoleErrors).toEqual([]);
  });

  const invalidResponses: [string, (route: Route) => Promise<void>][] = [
    ['a proxy’s error page', (route) => route.fulfill(badGatewayOf(badGateway.body))],
    ['an empty error', (route) => route.fulfill({ ...badGatewayOf(''), contentType: 'text/html' })],
    [
      'a plain text error',
      (route) =>
        route.fulfill({
          status: 503,
          contentType: 'text/plain',
          body: 'upstream connect error: <b>reset</b>',
        }),
    ],
    [
      'a truncated JSON error',
      (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"title": "Unexp' }),
    ],
    [
      'a JSON error in another format',
      (route) =>
        route.fulfill({
          status: 502,
          contentType: 'application/problem+json',
          body: '{"title": "SomeFault", "status": 502, "message": "ECONNREFUSED"}',
        }),
    ],
    [
      'a hotspot’s login page',
      (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Hotel WiFi</h1>' }),
    ],
    [
      'JSON in another format',
      (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{"ok": true}' }),
    ],
    [
      'a truncated JSON response',
      (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '[{"id": 1' }),
    ],
  ];
  const badGatewayOf = (body: string) => ({ status: 502, contentType: 'text/html', body });

  it.each(invalidResponses)('field case 8: shows a general message if calls get %s', async (_, respond) => {
    const { page } = await open('/challenges', {
      prepare: async (prepared) => {
        await prepared.route('**/api/challenges/**', respond);
        await prepared.route('**/auth/login', respond);
      },
    });
    const main = page.getByRole('main');
    const sentence = main.getByText('Wayquest is temporarily unavailable. Please try again.');
    await sentence.waitFor();
    expect(await main.textContent()).not.toMatch(/[<{]|nginx|JSON|WiFi|upstream|SomeFault/);

    // The same response to a submitted form has the same result.
    await page.getByRole('link', { name: 'Log In', exact: true }).click();
    await logIn(page, 'maya');
    await sentence.waitFor();
    expect(await main.textContent()).not.toMatch(/[<{]|nginx|JSON|WiFi|upstream|SomeFault/);
  });

  it('field case 8: shows the general message in the user’s language', async () => {
    const { page } = await open('/challenges', {
      locale: 'zh-CN',
      prepare: (prepared) =>
        prepared.route('**/api/challenges/**', (route) => route.fulfill(badGatewayOf(badGateway.body))),
    });
    await page.getByText('Wayquest 暂时无法使用，请再试一次。').waitFor();
  });

  it('field case 9: shows an error if a call or a script gets no response in time', async () => {
    const { page } = await open('/libraries', {
      prepare: async (prepared) => {
        await prepared.clock.install();
        await prepared.route('**/api/challenges/**', () => {});
      },
    });
    await heading(page, 'Libraries').waitFor();
    await page.locator('#root:not([data-drawn])').waitFor({ state: 'attached' });
    const requestSent = page.waitForRequest('**/api/challenges/**');
    await page.getByRole('link', { name: 'Challenges', exact: true }).click();
    await requestSent;
    await page.clock.fastForward(16_000);
    await page.getByText("Can't reach Wayquest.").waitFor();

    await page.route('**/assets/Leaderboard-*.js', () => {});
    const codeRequested = page.waitForRequest('**/assets/Leaderboard-*.js');
    await page.getByRole('link', { name: 'Leaderboard', exact: true }).click();
    await codeRequested;
    await page.clock.fastForward(21_000);
    await page.getByText("This page couldn't be loaded.").waitFor();
  });

  it('field case 1: delivers messages live if a proxy rejects every WebSocket', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    await befriend(ann, bob);
    const rejectedSockets: string[] = [];
    let polled: Promise<unknown> | undefined;
    const { page } = await open('/friends', {
      token: bob.token,
      baseURL: proxyWithoutWebSockets.url,
      prepare: async (prepared) => {
        prepared.on('websocket', (socket) => rejectedSockets.push(socket.url()));
        // From the beginning: later, a poll has no response until something happens.
        polled = prepared.waitForResponse(
          (response) => /transport=polling.*sid=/.test(response.url()) && response.ok(),
        );
      },
    });
    await page.getByRole('button', { name: 'Send Message' }).click();
    await page.waitForURL(/\/messenger\/\d+$/);
    const id = Number(page.url().split('/').at(-1));
    await polled;
    expect(rejectedSockets).not.toEqual([]);
    await ann.client.sendMessage({
      body: { conversationId: id, text: 'Over any proxy', clientId: crypto.randomUUID() },
    });
    await page.getByText('Over any proxy').first().waitFor();
    // Events that the client emits are delivered as well.
    const { page: annPage } = await open(`/messenger/${id}`, { token: ann.token });
    await annPage.getByText('Online', { exact: true }).first().waitFor();
    await page.getByPlaceholder('write something...').fill('Here too');
    await annPage.getByText(`${bob.username} is typing…`).waitFor();
    await page.keyboard.press('Enter');
    await annPage.getByText('Here too').first().waitFor();
  });

  /** Translates a page as browsers do, including content that is added later. */
  const translatePage = (page: Page, method: string) =>
    page.evaluate((method) => {
      const translated = new WeakSet<Node>();
      const wrap = (node: Node) => {
        const { parentNode } = node;
        if (!(parentNode instanceof HTMLElement) || !node.nodeValue?.trim() || translated.has(node)) return;
        if (parentNode.closest('font, script, style, svg, textarea, option')) return;
        const font = document.createElement('font');
        const copy = document.createTextNode(`«${node.nodeValue}»`);
        translated.add(copy);
        if (method === 'replaced') parentNode.replaceChild(font, node);
        if (method === 'inserted') {
          parentNode.insertBefore(font, node);
          parentNode.removeChild(node);
        }
        if (method === 'removed first') {
          const { nextSibling } = node;
          parentNode.removeChild(node);
          parentNode.insertBefore(font, nextSibling);
        }
        font.appendChild(copy);
      };
      const wrapAll = (root: Node) => {
        const participant = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts: Node[] = [];
        while (participant.nextNode()) texts.push(participant.currentNode);
        for (const text of texts) wrap(text);
      };
      wrapAll(document.body);
      // Added content is translated with a delay, as in browsers.
      new MutationObserver((records) => {
        for (const { addedNodes } of records)
          for (const node of addedNodes)
            setTimeout(() => {
              if (!node.isConnected) return;
              if (node instanceof Text) wrap(node);
              else wrapAll(node);
            });
      }).observe(document.body, { childList: true, subtree: true });
    }, method);

  it.each(['replaced', 'inserted', 'removed first'])(
    'field case 24: updates text in a translated page whose texts are %s',
    async (method) => {
      const [maya, ...senders] = [await newUser(network), await newUser(network), await newUser(network)];
      const challenge = await newChallenge(maya);
      const { page, consoleErrors } = await open('/FriendsInvitation', { token: maya.token });
      const sendRequest = (index: number) =>
        senders[index]?.client.requestFriend({ body: { friendId: maya.me.id } });
      await sendRequest(0);
      const menu = page.getByRole('button', { name: /'s menu/ });
      const badge = page.getByText(/^«?1»?.*new/).first();
      await badge.waitFor();
      await translatePage(page, method);
      await sendRequest(1);
      await eventually(async () => expect(await menu.textContent()).toMatch(/2\D*new/));

      // Lists, labels, dialogs, notices and form errors, on several pages.
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
    },
  );

  it('keeps the menu of a logged-in user, disables joining and shows a notice while the account cannot be loaded', async () => {
    const [creator, participant] = [await newUser(network), await newUser(network)];
    const challenge = await newChallenge(creator);
    let isFailing = true;
    const respond = (route: Route) =>
      isFailing
        ? route.fulfill({ status: 500, contentType: 'text/plain', body: 'Something went wrong.' })
        : route.continue();
    const { page } = await open(`/challenges/${challenge.id}`, {
      token: participant.token,
      prepare: (prepared) => prepared.route('**/auth/me', respond),
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
    await page.getByRole('button', { name: `${participant.username}'s menu` }).waitFor();
    await notice.waitFor({ state: 'detached' });
  });
});
