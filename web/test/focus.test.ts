import {
  describeWith,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
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
    await target.press('Enter');
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

  it('stays at a challenge that one joins, leaves and completes', async () => {
    const page = await visit(`/challenges/${challengeId}`, bob);
    const join = button(page, 'Join Challenge!');
    const leave = button(page, 'Leave Challenge');
    expect(await press(join, leave)).not.toBe('nowhere');
    expect(await press(leave, join)).not.toBe('nowhere');
    expect(await press(join, leave)).not.toBe('nowhere');
    const complete = button(page, 'Mark as Complete');
    expect(await press(complete, page.getByText('10 Points', { exact: true }))).not.toBe('nowhere');
  });

  it('stays among the friend requests that one answers', async () => {
    const page = await visit('/FriendsInvitation', ann);
    const [accept, decline] = [button(page, 'Accept cleo'), button(page, 'Decline dora')];
    await decline.waitFor();
    const gone = (name: string) => page.locator(`main:not(:has-text("${name}"))`);
    expect(await press(accept, gone('cleo'))).not.toBe('nowhere');
    expect(await press(decline, page.getByText('No pending requests'))).not.toBe('nowhere');
  });

  it('stays where a message is written', async () => {
    const page = await visit('/friends', ann);
    const write = page.getByPlaceholder('write something...');
    expect(await press(button(page, 'Send Message').first(), write)).not.toBe('nowhere');
    await write.fill('Hello');
    expect(await press(button(page, 'Send'), page.getByRole('article').filter({ hasText: 'Hello' }))).toBe(
      '',
    );
  });

  it('goes into a dialog and a menu, and comes back from them', async () => {
    const page = await visit(`/users/${bob.me.id}`, ann);
    const remove = button(page, 'Remove friend');
    const dialog = page.getByRole('dialog');
    expect(await press(remove, dialog)).toBe('Stay friends');
    const closed = page.locator('body:not(:has(dialog[open]))');
    expect(await press(button(page, 'Stay friends'), closed)).toBe('Remove friend');
    const menu = page.getByRole('link', { name: 'Messenger' });
    const opener = button(page, /^Menu of ann/);
    await press(opener, menu);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
    await press(remove, dialog);
    const parted = button(page, 'Add friend');
    expect(await press(dialog.getByRole('button', { name: 'Remove friend' }), parted)).not.toBe('nowhere');
  });

  it('stays in the ranking when one turns its pages, and in the page when a notice is dismissed', async () => {
    const page = await visit('/leaderboard', ann);
    const second = page.getByRole('cell', { name: '11', exact: true });
    expect(await press(page.getByRole('link', { name: 'Next page' }), second)).not.toBe('nowhere');
    await page.goto('/challenges/999999999');
    await page.goto('/explore?challenge=999999999');
    const dismiss = button(page, 'Dismiss');
    expect(await press(dismiss, page.locator('body:not(:has([aria-label="Dismiss"]))'))).not.toBe('nowhere');
  });
});
