import { describeWith, eventually, newChallenge, newUser, pressKey, type TestUser } from '@wayquest/testing';
import type { Locator, Page } from 'playwright-core';
import { useSite } from './support/start-site.ts';

/** After every action by keyboard an element has the focus: it is never lost to the body. */

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

(await describeWith('chromium'))('the focus', () => {
  const site = useSite();
  let ann: TestUser;
  let bob: TestUser;
  let challengeId: number;

  const visit = async (path: string, { token }: TestUser) => (await site.visit(path, { token })).page;

  /** Presses an element by keyboard, waits for the result, and returns the text of the focused element. */
  const pressAndGetFocus = async (target: Locator, expected: Locator) => {
    const page = target.page();
    await pressKey(target);
    await expected.waitFor();
    // Browsers remove the focus from a removed element at the next rendering.
    return page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { activeElement } = document;
      return !activeElement || activeElement === document.body
        ? 'nowhere'
        : activeElement.textContent?.trim();
    });
  };

  beforeAll(async () => {
    ann = await newUser(site.network, 'ann');
    bob = await newUser(site.network, 'bob');
    challengeId = (await newChallenge(ann)).id;
    const { id } = await bob.client.requestFriend({ body: { friendId: ann.me.id } });
    await ann.client.acceptFriend({ params: { id } });
    for (const username of ['cleo', 'dora']) {
      const requester = await newUser(site.network, username);
      await requester.client.requestFriend({ body: { friendId: ann.me.id } });
    }
    // More users than a page of the ranking shows.
    for (let number = 0; number < 12; number++) {
      const { client } = await newUser(site.network, `walker-${number}`);
      const participation = await client.joinChallenge({ body: { challengeId } });
      await client.updateParticipation({ params: { id: participation.id }, body: { completed: true } });
    }
    await site.network.settle();
  });

  it('is not lost when a challenge is joined, left and completed', async () => {
    const page = await visit(`/challenges/${challengeId}`, bob);
    const join = button(page, 'Join Challenge!');
    const leave = button(page, 'Leave Challenge');
    expect(await pressAndGetFocus(join, leave)).not.toBe('nowhere');
    expect(await pressAndGetFocus(leave, join)).not.toBe('nowhere');
    expect(await pressAndGetFocus(join, leave)).not.toBe('nowhere');
    const complete = button(page, 'Mark as Complete');
    expect(await pressAndGetFocus(complete, page.getByText('10 Points', { exact: true }))).not.toBe(
      'nowhere',
    );
  });

  it('is not lost when friend requests are accepted and declined', async () => {
    const page = await visit('/FriendsInvitation', ann);
    const [accept, decline] = [button(page, 'Accept cleo'), button(page, 'Decline dora')];
    await decline.waitFor();
    const mainWithout = (name: string) => page.locator(`main:not(:has-text("${name}"))`);
    expect(await pressAndGetFocus(accept, mainWithout('cleo'))).not.toBe('nowhere');
    expect(await pressAndGetFocus(decline, page.getByText('No pending requests'))).not.toBe('nowhere');
  });

  it('moves to the message input when a conversation opens, and returns there after sending', async () => {
    const page = await visit('/friends', ann);
    const messageInput = page.getByPlaceholder('write something...');
    expect(await pressAndGetFocus(button(page, 'Send Message').first(), messageInput)).not.toBe('nowhere');
    await messageInput.fill('Hello');
    expect(
      await pressAndGetFocus(button(page, 'Send'), page.getByRole('article').filter({ hasText: 'Hello' })),
    ).toBe('');
  });

  it('moves into a dialog and a menu, and back to the button that opened it', async () => {
    const page = await visit(`/users/${bob.me.id}`, ann);
    const remove = button(page, 'Remove friend');
    const dialog = page.getByRole('dialog');
    expect(await pressAndGetFocus(remove, dialog)).toBe('Cancel');
    const closed = page.locator('body:not(:has(dialog[open]))');
    expect(await pressAndGetFocus(button(page, 'Cancel'), closed)).toBe('Remove friend');
    const menu = page.getByRole('link', { name: 'Messenger' });
    const opener = button(page, /^ann.*'s menu/);
    await pressAndGetFocus(opener, menu);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await eventually(() => opener.evaluate((element) => element === document.activeElement));
    await pressAndGetFocus(remove, dialog);
    const addFriend = button(page, 'Add friend');
    expect(await pressAndGetFocus(dialog.getByRole('button', { name: 'Remove friend' }), addFriend)).not.toBe(
      'nowhere',
    );
  });

  it('moves to the new content when the pressed button disappears', async () => {
    const page = await visit('/challenges', ann);
    const failRequests = (url: string) =>
      page.route(url, (route) => route.fulfill({ status: 500, body: 'broken' }));
    await failRequests('**/api/challenges/?**');
    await page.goto('/challenges?search=nothing');
    const main = page.getByRole('main');
    const retry = main.getByRole('button', { name: 'Try again' }).first();
    await retry.waitFor();
    await page.unroute('**/api/challenges/?**');
    const clear = button(page, 'Clear filters');
    expect(await pressAndGetFocus(retry, clear)).not.toBe('nowhere');
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Clear filters'),
    );
    const cards = page.getByRole('list', { name: 'All Challenges' }).getByRole('article');
    await pressAndGetFocus(clear, cards.first());
    await eventually(async () =>
      expect(
        await page.evaluate(() => document.activeElement?.closest('main article, main h2, main p')),
      ).not.toBe(null),
    );
  });

  it('moves to the first of the participants that “more” shows', async () => {
    const page = await visit(`/challenges/${challengeId}`, ann);
    await page.route(/\/api\/challengeLine\/\?.*challengeId=/, async (route) => {
      const response = await route.fetch();
      const [firstFilter] = await response.json();
      // The user's own participation is requested separately.
      if (!firstFilter) return route.fulfill({ response });
      const participations = Array.from({ length: 30 }, (_, fieldBox) => ({
        ...firstFilter,
        id: fieldBox + 1,
        user: { ...firstFilter.user, id: 700_000 + fieldBox, username: `taker-${fieldBox}` },
      }));
      await route.fulfill({ response, json: participations });
    });
    await page.reload();
    const more = page.getByRole('main').getByRole('button', { name: /more/ });
    await pressAndGetFocus(more, page.getByRole('link', { name: 'taker-24' }));
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('taker-24'),
    );
  });

  it('stays on a setting while it is saved', async () => {
    // Mails and stored notifications of older versions lead here.
    const page = await visit('/profile#data-title', ann);
    await page.waitForURL('**/settings#data-title');
    await page.getByRole('link', { name: 'General' }).click();
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' }).click();
    const dark = page.locator('html[data-mantine-color-scheme="dark"]');
    await dark.waitFor();
    await page.reload();
    await dark.waitFor();
    await page.getByRole('link', { name: 'Privacy and safety' }).click();
    const townSelect = page.locator('[name="privacy-town"]');
    let isSaveRequested = false;
    await page.route('**/api/privacy', async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      // Gives the browser time to notice a disabled field.
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      isSaveRequested = true;
      await route.continue();
    });
    await townSelect.focus();
    await townSelect.selectOption('me');
    await eventually(async () => expect(isSaveRequested).toBe(true));
    expect(await townSelect.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('is not lost when the ranking’s page changes, and when a notice is dismissed', async () => {
    const page = await visit('/leaderboard', ann);
    const second = page.getByRole('cell', { name: '11', exact: true });
    expect(await pressAndGetFocus(page.getByRole('link', { name: 'Next page' }), second)).not.toBe('nowhere');
    await page.goto('/challenges/999999999');
    await page.goto('/explore?challenge=999999999');
    const dismiss = button(page, 'Dismiss');
    expect(await pressAndGetFocus(dismiss, page.locator('body:not(:has([aria-label="Dismiss"]))'))).not.toBe(
      'nowhere',
    );
  });

  it.each([
    ['phones', { width: 390, height: 844 }],
    ['desktops', { width: 1280, height: 800 }],
  ])('is never in a field covered by a notice, on %s', async (_where, size) => {
    const page = await visit('/libraries', ann);
    await page.setViewportSize(size);
    await page.goto('/explore?at=40.75,-73.83&zoom=14&challenge=999999999');
    const notice = page.getByRole('status').filter({ has: button(page, 'Dismiss') });
    await notice.waitFor();
    await page
      .getByRole('region', { name: 'Map', exact: true })
      .click({ position: { x: size.width * 0.77, y: 220 } });
    await page.getByRole('form', { name: 'New challenge' }).waitFor();
    const fields = page.getByRole('main').locator('input, select, textarea');
    const covered: string[] = [];
    const edges = new Set<string | null>();
    for (const formField of await fields.all()) {
      if (!(await formField.isVisible())) continue;
      await formField.focus();
      const box = await formField.boundingBox();
      await eventually(async () => {
        const noticeBox = await notice.locator('> div').boundingBox();
        const fieldBox = await formField.boundingBox();
        const isBeside =
          !noticeBox ||
          !fieldBox ||
          fieldBox.y >= noticeBox.y + noticeBox.height ||
          fieldBox.y + fieldBox.height <= noticeBox.y;
        expect(isBeside).toBe(true);
      }).catch(() => covered.push(JSON.stringify(box)));
      edges.add(await notice.getAttribute('data-edge'));
    }
    expect(covered).toEqual([]);
    expect([...edges].sort()).toEqual(['bottom', 'top']);
  });

  it('moves to the first filter when the filters open on a phone', async () => {
    const page = await visit('/challenges', ann);
    await page.setViewportSize({ width: 390, height: 844 });
    await button(page, 'Filter and sort').click();
    const firstFilter = page.getByRole('dialog', { name: 'Filter and sort' }).getByRole('combobox').first();
    await eventually(async () =>
      expect(await firstFilter.evaluate((element) => element === document.activeElement)).toBe(true),
    );
  });
});
