import { befriend, describeWith, eventually, newChallenge, newUser, type TestUser } from '@wayquest/testing';
import type { Page, Route } from 'playwright-core';
import { useSite } from './support/start-site.ts';

/** What people do while the server does not answer, as a browser sees it. */

(await describeWith('chromium'))('what was done while the server did not answer', () => {
  const site = useSite();
  const position = { lat: 40.75, lng: -73.82 };

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const waits = (page: Page) => page.getByText("Completed. It's sent as soon as you're online.");
  const completedOf = async ({ client }: TestUser) =>
    (await client.listParticipations())
      .filter(({ completed }) => completed)
      .map(({ challengeId }) => challengeId);

  /** A new user who joined challenges. */
  async function participant(count = 1, changes: Parameters<typeof newChallenge>[1] = {}) {
    const user = await newUser(site.network);
    const creator = await newUser(site.network);
    const challenges = [];
    for (let n = 0; n < count; n += 1) {
      const challenge = await newChallenge(creator, changes);
      await user.client.joinChallenge({ body: { challengeId: challenge.id } });
      challenges.push(challenge);
    }
    return { user, challenges };
  }
  const isWrite = (route: Route) => route.request().method() !== 'GET';
  const failWrites = (page: Page, fail: (route: Route) => Promise<void>) =>
    page.context().route('**/api/**', (route) => (isWrite(route) ? fail(route) : route.continue()));

  it('in two tabs is sent by the next visit (Q1)', async () => {
    const { user, challenges } = await participant(2);
    const { page } = await site.browser.visitor({ token: user.token });
    const pages = [page, await page.context().newPage()];
    await failWrites(page, (route) => route.abort());
    for (const [index, each] of pages.entries()) {
      await each.goto(`/challenges/${challenges[index]?.id}`);
      await button(each, 'Mark as Complete').waitFor();
    }
    for (const each of pages) {
      await button(each, 'Mark as Complete').click();
      await waits(each).waitFor();
    }
    const next = await page.context().newPage();
    for (const each of pages) await each.close();
    await next.context().unroute('**/api/**');
    await next.goto('/home');
    await eventually(async () =>
      expect(new Set(await completedOf(user))).toEqual(new Set(challenges.map(({ id }) => id))),
    );
    await next.close();
  });

  it('as a message is sent by another tab, in which somebody else’s conversation is opened (Q1)', async () => {
    const [ann, bob, cid] = [
      await newUser(site.network),
      await newUser(site.network),
      await newUser(site.network),
    ] as const;
    await befriend(ann, bob);
    await befriend(ann, cid);
    await site.network.settle();
    const conversations = await ann.client.listConversations({ params: { userId: ann.me.id } });
    const idWith = ({ me }: TestUser) => conversations.find(({ user }) => user.id === me.id)?.id;
    const { page } = await site.browser.visitor({ token: ann.token });
    await page.route('**/api/messages', (route) => route.abort());
    await page.goto(`/messenger/${idWith(bob)}`);
    await page.getByRole('textbox').fill('On my way');
    await page.getByRole('textbox').press('Enter');
    await page.getByText('On my way').waitFor();
    const other = await page.context().newPage();
    await other.goto(`/messenger/${idWith(cid)}`);
    await page.close();
    const read = async () =>
      (await bob.client.listMessages({ params: { conversationId: idWith(bob) ?? 0 } })).map(
        ({ text }) => text,
      );
    await eventually(async () => expect(await read()).toEqual(['On my way']));
    await other.close();
  });

  const answers: [string, Parameters<Route['fulfill']>[0]][] = [
    ['502 text/html', { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }],
    [
      '503 with Retry-After',
      { status: 503, headers: { 'retry-after': '2' }, contentType: 'text/html', body: '' },
    ],
    ['504 text/plain', { status: 504, contentType: 'text/plain', body: 'upstream request timeout' }],
    ['403 of a proxy', { status: 403, contentType: 'text/html', body: '<h1>Forbidden</h1>' }],
    ['a hotspot’s page', { status: 200, contentType: 'text/html', body: '<h1>Hotel WiFi</h1>' }],
  ];
  it.each(answers)('is sent without another press after %s (Q2)', async (_, answer) => {
    const { user, challenges } = await participant();
    const { page } = await site.visit(`/challenges/${challenges[0]?.id}`, { token: user.token });
    await failWrites(page, (route) => route.fulfill(answer));
    await button(page, 'Mark as Complete').click();
    await waits(page).waitFor();
    expect(await completedOf(user)).toEqual([]);
    await page.context().unroute('**/api/**');
    await page.getByText("Completed. You've earned the points.").waitFor();
    expect(await completedOf(user)).toEqual([challenges[0]?.id]);
  });

  const minute = 60_000;
  const day = 24 * 60 * minute;
  it.each([
    ['three minutes behind', -3 * minute, -3 * minute],
    ['three days ahead', 3 * day, 3 * day],
    ['ten years behind, and is set right before it is sent', -3_650 * day, 0],
    ['five days ahead, and is set right before it is sent', 5 * day, 0],
    ['right, and is set five days ahead before it is sent', 0, 5 * day],
  ])('checks in although the clock is %s (Q3)', async (_, before, after) => {
    const { user, challenges } = await participant(1, { position, checkInRequired: true });
    const { page } = await site.browser.visitor({
      token: user.token,
      permissions: ['geolocation'],
      geolocation: { latitude: position.lat, longitude: position.lng, accuracy: 10 },
    });
    const now = Date.now();
    await page.clock.install({ time: now + before });
    await page.goto(`/challenges/${challenges[0]?.id}`);
    await button(page, 'Mark as Complete').waitFor();
    await failWrites(page, (route) => route.abort());
    await button(page, 'Mark as Complete').click();
    await waits(page).waitFor();
    await page.clock.setSystemTime(now + after);
    await page.context().unroute('**/api/**');
    await page.clock.runFor(120_000);
    await page.getByText("Completed. You've earned the points.").waitFor();
    const [participation] = await user.client.listParticipations();
    expect(participation).toMatchObject({ completed: true, checkedIn: true });
    const age = now - Date.parse(participation?.completedAt ?? '');
    expect(Math.abs(age)).toBeLessThan(10 * minute);
  });

  it('and is rejected when it arrives stays on every page, until it is discarded (51.2)', async () => {
    const { user, challenges } = await participant(1, { name: 'Ring the bell' });
    const { page } = await site.visit(`/challenges/${challenges[0]?.id}`, { token: user.token });
    await failWrites(page, (route) => route.abort());
    await button(page, 'Mark as Complete').click();
    await waits(page).waitFor();
    const [participation] = await user.client.listParticipations();
    await user.client.leaveChallenge({ params: { id: participation?.id ?? 0 } });
    await page.context().unroute('**/api/**');
    const reason = page.getByText(/“Ring the bell” couldn't be completed\./);
    await page.goto('/challenges');
    await reason.waitFor();
    await page.reload();
    await reason.waitFor();
    await button(page, 'Try again').click();
    await reason.waitFor();
    await button(page, 'Discard').click();
    await reason.waitFor({ state: 'detached' });
    await page.reload();
    await button(page, `${user.username}'s menu`).waitFor();
    expect(await reason.count()).toBe(0);
  });

  it('is deleted by a logout only after a question', async () => {
    const { user, challenges } = await participant();
    const { page } = await site.visit(`/challenges/${challenges[0]?.id}`, { token: user.token });
    await failWrites(page, (route) => route.abort());
    await button(page, 'Mark as Complete').click();
    await waits(page).waitFor();
    const logOut = async () => {
      await button(page, `${user.username}'s menu`).click();
      await button(page, 'Logout').click();
      await page.getByRole('dialog', { name: 'Log out without sending?' }).waitFor();
    };
    await logOut();
    await page.getByText("1 thing you did hasn't been sent yet.").waitFor();
    await button(page, 'Stay logged in').click();
    await waits(page).waitFor();
    await logOut();
    await button(page, 'Log out and delete').click();
    await page.waitForURL('**/login');
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('unsent'))),
    ).toEqual([]);
  });

  it('is kept in memory if the browser stores nothing, and the person is told', async () => {
    const { user, challenges } = await participant();
    const { page } = await site.visit(`/challenges/${challenges[0]?.id}`, { token: user.token });
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
      };
    });
    await failWrites(page, (route) => route.abort());
    await button(page, 'Mark as Complete').click();
    await waits(page).waitFor();
    await page.getByText("Your browser can't store this").waitFor();
    await page.context().unroute('**/api/**');
    await page.getByText("Completed. You've earned the points.").waitFor();
  });

  it('as a note and a photo is saved later', async () => {
    const { user, challenges } = await participant();
    const [participation] = await user.client.listParticipations();
    const id = participation?.id ?? 0;
    await user.client.updateParticipation({ params: { id }, body: { completed: true } });
    const { page } = await site.visit(`/challenges/${challenges[0]?.id}`, { token: user.token });
    await failWrites(page, (route) => route.fulfill({ status: 503, body: '' }));
    await button(page, 'Add a note or photo').click();
    await page.locator('[name="note"]').fill('Windy up there');
    await page.locator('input[type="file"]').setInputFiles('web/public/images/preview.jpg');
    await page.getByAltText('The photo you chose').waitFor();
    await button(page, 'Save').click();
    await page.getByText("It's kept on this device, and saved as soon as you're online.").waitFor();
    expect(await user.client.getLogEntry({ params: { id } })).toMatchObject({ note: '', photo: null });
    await page.context().unroute('**/api/**');
    await page.reload();
    await eventually(async () =>
      expect(await user.client.getLogEntry({ params: { id } })).toMatchObject({
        note: 'Windy up there',
        photo: expect.any(String),
      }),
    );
  });
});
