import {
  complete,
  describeWith,
  eventually,
  newChallenge,
  newUser,
  pressKey,
  type TestUser,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { useSite } from './support/start-site.ts';

(await describeWith('chromium'))('privacy', () => {
  const site = useSite();
  let ann: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    [ann, bob] = [await newUser(site.network), await newUser(site.network)];
    await ann.client.updateMe({ body: { firstName: 'Anneliese', city: 'Needlebury', state: 'NY' } });
    const challenge = await newChallenge(bob, { name: 'Count the herons' });
    await site.network.settle();
    await complete(ann, challenge);
    await site.network.settle();
  });

  const openAs = ({ token }: TestUser, path: string, viewport = { width: 1280, height: 900 }) =>
    site.visit(path, { viewport, token });
  const settings = (page: Page) => page.getByRole('region', { name: 'Privacy' });

  it.each([
    [1280, 900],
    [390, 844],
  ])('is changed by keyboard, stored, and hides data from others (%i wide)', async (width, height) => {
    await ann.client.updatePrivacy({
      body: { name: 'everybody', participation: 'everybody', leaderboards: true },
    });
    const otherBrowser = await openAs(bob, `/users/${ann.me.id}`, { width, height });
    await otherBrowser.page.getByText('Anneliese').first().waitFor();
    await otherBrowser.page.getByRole('link', { name: 'Count the herons' }).waitFor();

    const { page, consoleErrors } = await openAs(ann, '/settings#privacy', { width, height });
    const fieldOf = (name: string) => settings(page).getByLabel(name);
    const expectStored = (change: object) =>
      eventually(async () => expect(await ann.client.getPrivacy()).toMatchObject(change));
    for (const [name, change] of [
      ['My full name', { name: 'friends' }],
      ['Challenges I join and complete', { participation: 'friends' }],
    ] as const) {
      await pressKey(fieldOf(name), 'ArrowUp');
      await expectStored(change);
      await eventually(async () => expect(await fieldOf(name).isEnabled()).toBe(true));
    }
    await pressKey(fieldOf('Show me on the leaderboard'), ' ');
    await expectStored({ leaderboards: false });
    await page.reload();
    await eventually(async () => {
      expect(await fieldOf('My full name').inputValue()).toBe('friends');
      expect(await fieldOf('Show me on the leaderboard').isChecked()).toBe(false);
    });
    expect(consoleErrors).toEqual([]);

    await site.network.settle();
    await otherBrowser.page.reload();
    await otherBrowser.page.getByText('This trail book is private.').waitFor();
    expect(await otherBrowser.page.getByText('Anneliese').count()).toBe(0);
    await otherBrowser.page.goto('/leaderboard');
    await otherBrowser.page.getByText(bob.username).filter({ visible: true }).first().waitFor();
    expect(await otherBrowser.page.getByText(ann.username).count()).toBe(0);
    expect(otherBrowser.consoleErrors).toEqual([]);
  });

  it('explains that the town ranking is unavailable while the own town is hidden', async () => {
    await ann.client.updatePrivacy({ body: { town: 'me' } });
    const { page } = await openAs(ann, '/leaderboard?filter=town');
    await page.getByText('People who live where you do.').waitFor();
    await page.getByText('Your privacy settings hide your town').waitFor();
    await pressKey(page.getByRole('link', { name: 'Privacy settings' }));
    await settings(page).getByLabel('Where I live').waitFor();
  });

  it('offers no friend request to a user who accepts none, and says so if they just decided it', async () => {
    const { page } = await openAs(bob, `/users/${ann.me.id}`);
    const add = page.getByRole('button', { name: 'Add friend' });
    await add.waitFor();
    await ann.client.updatePrivacy({ body: { requests: false } });
    await site.network.settle();
    await pressKey(add);
    await page.getByText("This user isn't accepting friend requests.").waitFor();
    await page.reload();
    await page.getByText('Accepts no friend requests').waitFor();
    expect(await add.count()).toBe(0);
  });

  it('shows a retry button if the settings cannot be loaded', async () => {
    const { page } = await site.browser.visitor({ token: ann.token });
    await page.route('**/api/privacy', (route) => route.fulfill({ status: 500, body: 'broken' }));
    await page.goto('/settings#privacy');
    const retry = settings(page).getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute('**/api/privacy');
    await pressKey(retry);
    await settings(page).getByLabel('Where I live').waitFor();
  });
});
