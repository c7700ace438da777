import {
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  pressOn,
  type TestBrowser,
  type TestUser,
} from '@wayquest/testing';
import type { Locator, Page } from 'playwright-core';
import { startSite } from './support/start-site.ts';

/** Whoever goes by keyboard stands somewhere after everything they do: the focus never falls back to the page itself. */

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

(await describeWith('chromium'))('the focus', () => {
  let network: Network;
  let browser: TestBrowser;
  let ann: TestUser;
  let bob: TestUser;
  let challengeId: number;

  const visit = async (path: string, { token }: TestUser) => {
    const { page } = await browser.visitor();
    await page.addInitScript((value) => localStorage.setItem('token', value), token);
    await page.goto(path);
    return page;
  };

  /** Presses by keyboard, waits for what that does, and says where the focus is then. */
  const press = async (target: Locator, done: Locator) => {
    const page = target.page();
    await pressOn(target);
    await done.waitFor();
    // A browser takes the focus from what is gone when it draws next.
    return page.evaluate(async () => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const { activeElement } = document;
      return !activeElement || activeElement === document.body
        ? 'nowhere'
        : activeElement.textContent?.trim();
    });
  };

  beforeAll(async () => {
    network = await startSite();
    browser = await openBrowser(network.url);
    ann = await newUser(network, 'ann');
    bob = await newUser(network, 'bob');
    challengeId = (await newChallenge(ann)).id;
    const { id } = await bob.client.requestFriend({ body: { friendId: ann.me.id } });
    await ann.client.acceptFriend({ params: { id } });
    for (const username of ['cleo', 'dora']) {
      const asking = await newUser(network, username);
      await asking.client.requestFriend({ body: { friendId: ann.me.id } });
    }
    // More than a page of the ranking.
    for (let number = 0; number < 12; number++) {
      const { client } = await newUser(network, `walker-${number}`);
      const line = await client.joinChallenge({ body: { challengeId } });
      await client.updateLine({ params: { id: line.id }, body: { completed: true } });
    }
    await network.settle();
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  it('stays at a challenge while it is joined, left and completed', async () => {
    const page = await visit(`/challenges/${challengeId}`, bob);
    const join = button(page, 'Join Challenge!');
    const leave = button(page, 'Leave Challenge');
    expect(await press(join, leave)).not.toBe('nowhere');
    expect(await press(leave, join)).not.toBe('nowhere');
    expect(await press(join, leave)).not.toBe('nowhere');
    const complete = button(page, 'Mark as Complete');
    expect(await press(complete, page.getByText('10 Points', { exact: true }))).not.toBe('nowhere');
  });

  it('stays among the friend requests while they are answered', async () => {
    const page = await visit('/FriendsInvitation', ann);
    const [accept, decline] = [button(page, 'Accept cleo'), button(page, 'Decline dora')];
    await decline.waitFor();
    const gone = (name: string) => page.locator(`main:not(:has-text("${name}"))`);
    expect(await press(accept, gone('cleo'))).not.toBe('nowhere');
    expect(await press(decline, page.getByText('No pending requests'))).not.toBe('nowhere');
  });

  it('stays at the message input', async () => {
    const page = await visit('/friends', ann);
    const write = page.getByPlaceholder('write something...');
    expect(await press(button(page, 'Send Message').first(), write)).not.toBe('nowhere');
    await write.fill('Hello');
    expect(await press(button(page, 'Send'), page.getByRole('article').filter({ hasText: 'Hello' }))).toBe(
      '',
    );
  });

  it('moves into a dialog and a menu, and back', async () => {
    const page = await visit(`/users/${bob.me.id}`, ann);
    const remove = button(page, 'Remove friend');
    const dialog = page.getByRole('dialog');
    expect(await press(remove, dialog)).toBe('Cancel');
    const closed = page.locator('body:not(:has(dialog[open]))');
    expect(await press(button(page, 'Cancel'), closed)).toBe('Remove friend');
    const menu = page.getByRole('link', { name: 'Messenger' });
    const opener = button(page, /^ann.*'s menu/);
    await press(opener, menu);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await eventually(() => opener.evaluate((element) => element === document.activeElement));
    await press(remove, dialog);
    const parted = button(page, 'Add friend');
    expect(await press(dialog.getByRole('button', { name: 'Remove friend' }), parted)).not.toBe('nowhere');
  });

  it('moves to the new content when the pressed button disappears', async () => {
    const page = await visit('/challenges', ann);
    const broken = (url: string) =>
      page.route(url, (route) => route.fulfill({ status: 500, body: 'broken' }));
    await broken('**/api/challenges/?**');
    await page.goto('/challenges?search=nothing');
    const main = page.getByRole('main');
    const retry = main.getByRole('button', { name: 'Try again' }).first();
    await retry.waitFor();
    await page.unroute('**/api/challenges/?**');
    const clear = button(page, 'Clear filters');
    expect(await press(retry, clear)).not.toBe('nowhere');
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Clear filters'),
    );
    const cards = page.getByRole('list', { name: 'All Challenges' }).getByRole('article');
    await press(clear, cards.first());
    await eventually(async () =>
      expect(
        await page.evaluate(() => document.activeElement?.closest('main article, main h2, main p')),
      ).not.toBe(null),
    );
  });

  it('moves to the first of the participants that the last button loads', async () => {
    const page = await visit(`/challenges/${challengeId}`, ann);
    await page.route(/\/api\/challengeLine\/\?.*challengeId=/, async (route) => {
      const response = await route.fetch();
      const [first] = await response.json();
      // The person's own part is asked for beside it.
      if (!first) return route.fulfill({ response });
      const lines = Array.from({ length: 30 }, (_, at) => ({
        ...first,
        id: at + 1,
        user: { ...first.user, id: 700_000 + at, username: `taker-${at}` },
      }));
      await route.fulfill({ response, json: lines });
    });
    await page.reload();
    const more = page.getByRole('main').getByRole('button', { name: /more/ });
    await press(more, page.getByRole('link', { name: 'taker-24' }));
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('taker-24'),
    );
  });

  it('stays on what is being saved', async () => {
    const page = await visit('/settings', ann);
    const choice = page.locator('[name="privacy-town"]');
    let saved = false;
    await page.route('**/api/privacy', async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      // As long as a browser may take to notice that it has become disabled.
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
      saved = true;
      await route.continue();
    });
    await choice.focus();
    await choice.selectOption('me');
    await eventually(async () => expect(saved).toBe(true));
    expect(await choice.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('stays in the ranking when its page changes, and in the page when a notice is dismissed', async () => {
    const page = await visit('/leaderboard', ann);
    const second = page.getByRole('cell', { name: '11', exact: true });
    expect(await press(page.getByRole('link', { name: 'Next page' }), second)).not.toBe('nowhere');
    await page.goto('/challenges/999999999');
    await page.goto('/explore?challenge=999999999');
    const dismiss = button(page, 'Dismiss');
    expect(await press(dismiss, page.locator('body:not(:has([aria-label="Dismiss"]))'))).not.toBe('nowhere');
  });

  it.each([
    ['a phone', { width: 390, height: 844 }],
    ['a desk', { width: 1280, height: 800 }],
  ])('is never in a field that a notice covers, on %s', async (_where, size) => {
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
    for (const one of await fields.all()) {
      if (!(await one.isVisible())) continue;
      await one.focus();
      const box = await one.boundingBox();
      await eventually(async () => {
        const bar = await notice.locator('> div').boundingBox();
        const at = await one.boundingBox();
        const isBeside = !bar || !at || at.y >= bar.y + bar.height || at.y + at.height <= bar.y;
        expect(isBeside).toBe(true);
      }).catch(() => covered.push(JSON.stringify(box)));
      edges.add(await notice.getAttribute('data-edge'));
    }
    expect(covered).toEqual([]);
    expect([...edges].sort()).toEqual(['bottom', 'top']);
    await page.context().close();
  });

  it('moves to the first filter when the filters open on a phone', async () => {
    const page = await visit('/challenges', ann);
    await page.setViewportSize({ width: 390, height: 844 });
    await button(page, 'Filter and sort').click();
    const first = page.getByRole('dialog', { name: 'Filter and sort' }).getByRole('combobox').first();
    await eventually(async () =>
      expect(await first.evaluate((element) => element === document.activeElement)).toBe(true),
    );
  });
});
