import {
  complete,
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
import type { Page } from 'playwright-core';
import { startSite } from './support/start-site.ts';

(await describeWith('chromium'))('privacy', () => {
  let network: Network;
  let browser: TestBrowser;
  let ann: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    network = await startSite();
    browser = await openBrowser(network.url);
    [ann, bob] = [await newUser(network), await newUser(network)];
    await ann.client.updateMe({ body: { firstName: 'Anneliese', city: 'Needlebury', state: 'NY' } });
    const challenge = await newChallenge(bob, { name: 'Count the herons' });
    await network.settle();
    await complete(ann, challenge);
    await network.settle();
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  const as = async ({ token }: TestUser, path: string, viewport = { width: 1280, height: 900 }) => {
    const { page, consoleErrors } = await browser.visitor({ viewport });
    await page.addInitScript((value) => localStorage.setItem('token', value), token);
    await page.goto(path);
    return { page, consoleErrors };
  };
  const settings = (page: Page) => page.getByRole('region', { name: 'Privacy' });

  it.each([
    [1280, 900],
    [390, 844],
  ])('can be chosen by keyboard, is stored, and applies to others (%i wide)', async (width, height) => {
    await ann.client.updatePrivacy({ body: { name: 'everybody', participation: 'everybody', boards: true } });
    const other = await as(bob, `/users/${ann.me.id}`, { width, height });
    await other.page.getByText('Anneliese').first().waitFor();
    await other.page.getByRole('link', { name: 'Count the herons' }).waitFor();

    const { page, consoleErrors } = await as(ann, '/settings', { width, height });
    const choice = (name: string) => settings(page).getByLabel(name);
    const kept = (change: object) =>
      eventually(async () => expect(await ann.client.getPrivacy()).toMatchObject(change));
    for (const [name, change] of [
      ['My full name', { name: 'friends' }],
      ['Challenges I join and complete', { participation: 'friends' }],
    ] as const) {
      await pressOn(choice(name), 'ArrowUp');
      await kept(change);
      await eventually(async () => expect(await choice(name).isEnabled()).toBe(true));
    }
    await pressOn(choice('Show me on the leaderboard'), ' ');
    await kept({ boards: false });
    await page.reload();
    await eventually(async () => {
      expect(await choice('My full name').inputValue()).toBe('friends');
      expect(await choice('Show me on the leaderboard').isChecked()).toBe(false);
    });
    expect(consoleErrors).toEqual([]);

    await network.settle();
    await other.page.reload();
    await other.page.getByText('This trail book is private.').waitFor();
    expect(await other.page.getByText('Anneliese').count()).toBe(0);
    await other.page.goto('/leaderboard');
    await other.page.getByText(bob.username).filter({ visible: true }).first().waitFor();
    expect(await other.page.getByText(ann.username).count()).toBe(0);
    expect(other.consoleErrors).toEqual([]);
    await page.context().close();
    await other.page.context().close();
  });

  it('says why there is no leaderboard of a town that one hides', async () => {
    await ann.client.updatePrivacy({ body: { town: 'me' } });
    const { page } = await as(ann, '/leaderboard?filter=town');
    await page.getByText('Your privacy settings hide your town').waitFor();
    await pressOn(page.getByRole('link', { name: 'Privacy settings' }));
    await settings(page).getByLabel('Where I live').waitFor();
  });

  it('says to the sender that a user accepts no friend requests', async () => {
    await ann.client.updatePrivacy({ body: { requests: false } });
    await network.settle();
    const { page } = await as(bob, `/users/${ann.me.id}`);
    await pressOn(page.getByRole('button', { name: 'Add Friend' }).first());
    await page.getByText("This user isn't accepting friend requests.").waitFor();
  });

  it('says that the settings cannot be loaded, and retries', async () => {
    const { page } = await browser.visitor();
    await page.addInitScript((value) => localStorage.setItem('token', value), ann.token);
    await page.route('**/api/privacy', (route) => route.fulfill({ status: 500, body: 'broken' }));
    await page.goto('/settings');
    const again = settings(page).getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/api/privacy');
    await pressOn(again);
    await settings(page).getByLabel('Where I live').waitFor();
  });
});
