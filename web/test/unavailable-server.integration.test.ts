import { befriend, describeWith, newChallenge, newUser } from '@wayquest/testing';
import type { Page, Route } from 'playwright-core';
import { logIn } from './support/log-in.ts';
import { badGateway, startProxy, type TestProxy } from './support/proxy.ts';
import { useSite } from './support/start-site.ts';

/** Outages as a browser sees them: no response, or one of a proxy on the way. */

(await describeWith('chromium'))('the app while its server is unavailable', () => {
  const site = useSite();
  let proxyWithoutWebSockets: TestProxy;

  beforeAll(async () => {
    proxyWithoutWebSockets = await startProxy(site.network.url, { webSockets: false });
  });
  afterAll(async () => {
    proxyWithoutWebSockets?.close();
  });

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

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

  it.each(invalidResponses)('shows a general message if calls get %s', async (_, respond) => {
    const { page } = await site.visit('/challenges', {
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

  it('shows the general message in the user’s language', async () => {
    const { page } = await site.visit('/challenges', {
      locale: 'zh-CN',
      prepare: (prepared) =>
        prepared.route('**/api/challenges/**', (route) => route.fulfill(badGatewayOf(badGateway.body))),
    });
    await page.getByText('Wayquest 暂时无法使用，请再试一次。').waitFor();
  });

  it('shows an error if a call or a script gets no response in time', async () => {
    const { page } = await site.visit('/libraries', {
      prepare: async (prepared) => {
        await prepared.clock.install();
        await prepared.route('**/api/challenges/**', () => {});
      },
    });
    await heading(page, 'Libraries').waitFor();
    await page.locator('#root:not([data-prerendered])').waitFor({ state: 'attached' });
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

  it('delivers messages live if a proxy rejects every WebSocket', async () => {
    const [ann, bob] = [await newUser(site.network), await newUser(site.network)];
    await befriend(ann, bob);
    const rejectedSockets: string[] = [];
    let polled: Promise<unknown> | undefined;
    const { page } = await site.visit('/friends', {
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
    const { page: annPage } = await site.visit(`/messenger/${id}`, { token: ann.token });
    await annPage.getByText('Online', { exact: true }).first().waitFor();
    await page.getByPlaceholder('write something...').fill('Here too');
    await annPage.getByText(`${bob.username} is typing…`).waitFor();
    await page.keyboard.press('Enter');
    await annPage.getByText('Here too').first().waitFor();
  });

  it('keeps the menu of a logged-in user, disables joining and shows a notice while the account cannot be loaded', async () => {
    const [creator, participant] = [await newUser(site.network), await newUser(site.network)];
    const challenge = await newChallenge(creator);
    let isFailing = true;
    const respond = (route: Route) =>
      isFailing
        ? route.fulfill({ status: 500, contentType: 'text/plain', body: 'Something went wrong.' })
        : route.continue();
    const { page } = await site.visit(`/challenges/${challenge.id}`, {
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
