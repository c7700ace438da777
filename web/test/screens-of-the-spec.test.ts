import {
  befriend,
  complete,
  describeWith,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  type TestBrowser,
  type TestUser,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { startSite } from './support/start-site.ts';

/** That each screen of section 2 of the specification shows what the section says, in a browser. */

interface Parts {
  /** Seen as they are, whatever stands around them. */
  texts?: string[];
  headings?: string[];
  buttons?: string[];
  /** Links by their words, and where they lead. */
  links?: Record<string, string>;
  /** Fields by their `name`, in their order. */
  fields?: string[];
  placeholders?: Record<string, string>;
  options?: Record<string, string[]>;
  columns?: string[];
}

async function expectToHold(page: Page, parts: Parts): Promise<void> {
  const { texts = [], headings = [], buttons = [], links = {}, fields = [] } = parts;
  for (const name of headings)
    await page.getByRole('heading', { name, exact: true }).first().waitFor({ timeout: 10_000 });
  for (const text of texts)
    await page.getByText(text).filter({ visible: true }).first().waitFor({ timeout: 10_000 });
  for (const name of buttons) await page.getByRole('button', { name, exact: true }).first().waitFor();
  for (const [name, to] of Object.entries(links)) {
    const link = page.getByRole('link', { name, exact: true }).first();
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(to);
  }
  for (const name of fields) await page.locator(`[name="${name}"]`).first().waitFor();
  for (const [name, placeholder] of Object.entries(parts.placeholders ?? {}))
    expect(await page.locator(`[name="${name}"]`).getAttribute('placeholder')).toBe(placeholder);
  for (const [label, values] of Object.entries(parts.options ?? {})) {
    const options = page.getByLabel(label, { exact: true }).locator('option');
    const found = await options.evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(found.filter((value) => value !== null && value !== '')).toEqual(expect.arrayContaining(values));
  }
  if (parts.columns) expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(parts.columns);
}

(await describeWith('chromium'))('section 2 of the specification', () => {
  let network: Network;
  let browser: TestBrowser;
  let me: TestUser;
  let friend: TestUser;
  let asking: TestUser;
  let stranger: TestUser;
  let challengeId = 0;
  let conversationId = 0;
  const name = 'Walk around the lake';

  beforeAll(async () => {
    network = await startSite();
    browser = await openBrowser(network.url);
    [me, friend, asking, stranger] = [
      await newUser(network),
      await newUser(network),
      await newUser(network),
      await newUser(network),
    ];
    await me.client.updateMe({
      body: {
        ...{ firstName: 'Ada', lastName: 'Wolfe', city: 'Flushing', state: 'NY', zip: '11355' },
        streetAddress: '41-17 Main Street',
      },
    });
    await friend.client.updateMe({
      body: { firstName: 'Bea', lastName: 'Hill', city: 'Corona', state: 'NY' },
    });
    await befriend(me, friend);
    await asking.client.requestFriend({ body: { friendId: me.me.id } });
    const place = { city: 'Flushing', state: 'NY', locationName: 'Kissena Park' };
    const days = { startDate: '2026-01-02', endDate: '2036-03-04' };
    ({ id: challengeId } = await newChallenge(friend, { name, description: 'Twice.', ...place, ...days }));
    await complete(friend, await newChallenge(stranger, { points: 40 }));
    await complete(stranger, await newChallenge(friend, { points: 30 }));
    await me.client.joinChallenge({ body: { challengeId } });
    await network.settle();
    ({ id: conversationId } = await me.client.openConversation({ body: { friend: { id: friend.me.id } } }));
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  const open = async (path: string, who?: TestUser): Promise<Page> => {
    const { page } = await browser.visitor();
    if (who) await page.addInitScript((token) => localStorage.setItem('token', token), who.token);
    await page.goto(path);
    return page;
  };

  it('words the navigation in its order, for visitors and for members', async () => {
    const linksOf = (page: Page) =>
      page
        .getByRole('navigation')
        .first()
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]));
    const visitor = await open('/leaderboard');
    await visitor.getByRole('link', { name: 'Log In' }).waitFor();
    const everyone = [
      ['Explore', '/Explore'],
      ['Challenges', '/Challenges'],
      ['Leaderboard', '/Leaderboard'],
    ];
    expect(await linksOf(visitor)).toEqual([...everyone, ['Sign Up', '/signup'], ['Log In', '/login']]);
    await expectToHold(visitor, {
      links: { 'Wayquest, home': '/home', 'Libraries we build on': '/libraries' },
    });

    const member = await open('/leaderboard', me);
    await member.getByRole('button', { name: /^Menu of/ }).click();
    await member.getByRole('button', { name: 'Logout' }).waitFor();
    expect((await linksOf(member)).filter(([, to]) => to !== '/notifications')).toEqual([
      ...everyone,
      ['Users', '/Users'],
      ['Profile', '/Profile'],
      ['Friends', '/Friends'],
      [expect.stringContaining('Friend Requests'), '/FriendsInvitation'],
      ['Messenger', '/Messenger'],
    ]);
  });

  it('words what visitors see', async () => {
    const login = await open('/login');
    await expectToHold(login, {
      buttons: ['Login'],
      links: {
        "Don't have an account? Create Account": '/signup',
        'Sign in with Google': '/api/googleOauth',
      },
      placeholders: { username: 'username', password: 'password' },
    });
    for (const field of ['username', 'password'])
      expect(await login.locator(`[name="${field}"]`).getAttribute('required')).not.toBeNull();
    await expectToHold(await open('/signup'), {
      buttons: ['Sign Up'],
      links: { 'Sign Up with Google': '/api/googleOauth' },
      placeholders: { username: 'username', password: 'password' },
    });
    const detail = await open(`/challenges/${challengeId}`);
    await detail.getByRole('button', { name: 'Join Challenge!' }).click();
    await detail.waitForURL('**/signup');
  });

  it('words the map', async () => {
    const page = await open('/explore', me);
    await expectToHold(page, {
      texts: ['Explore Map: Find and create challenges near you.'],
      options: {
        'Show Locations by Type': [
          'park',
          'museum',
          'movie_theater',
          'tourist_attraction',
          'night_club',
          'library',
          'restaurant',
        ],
      },
    });
    await page.getByPlaceholder('Enter an address').waitFor();
    const size = await page.locator('[class*="frame"], [class*="stage"]').first().boundingBox();
    expect([size?.width, size?.height].map((length) => Math.round((length ?? 0) / 10))).toEqual([115, 81]);
    await page.goto('/explore?spot=40.75,-73.83');
    await expectToHold(page, {
      texts: ['Create a Challenge'],
      buttons: ['Set as Map Center', 'Create Challenge'],
    });
    const form = page.getByRole('form');
    for (const label of ['Challenge Name', 'Start date', 'End date', 'Difficulty'])
      await form.getByLabel(label).waitFor();
    expect(
      await form
        .getByLabel('Difficulty')
        .locator('option')
        .evaluateAll((all) => all.map((option) => option.getAttribute('value'))),
    ).toEqual(expect.arrayContaining(['Easy', 'Medium', 'Hard']));
  });

  it('words the challenges', async () => {
    const page = await open('/challenges', me);
    await expectToHold(page, {
      headings: ['Challenges'],
      texts: ['January 2 2026', 'Flushing, NY'],
      links: { 'Your Challenges': '#your-challenges', 'Add a Challenge': '#add-a-challenge' },
      buttons: ['Create New Challenge!'],
      fields: [
        ...[
          'name',
          'points',
          'locationName',
          'streetAddress',
          'city',
          'state',
          'startDate',
          'endDate',
          'zip',
        ],
        'difficulty',
      ],
    });
    expect(await page.locator('[name="points"]').getAttribute('type')).toBe('number');
    const detail = await open(`/challenges/${challengeId}`, me);
    await expectToHold(detail, {
      headings: [name],
      texts: ['Easy', 'Created by', friend.username, 'Twice.', 'January 2 2026'],
      buttons: ['Leave Challenge', 'Mark as Complete'],
    });
    expect(await detail.getByRole('button', { name: 'Delete Challenge' }).count()).toBe(0);
    const participant = detail.getByRole('link', { name: new RegExp(me.username) }).first();
    expect(await participant.getAttribute('href')).toBe(`/users/${me.me.id}`);
  });

  it('words the people', async () => {
    const users = await open('/users', me);
    await expectToHold(users, {
      headings: ['Find Users', 'Suggested Friends', stranger.username],
      fields: ['search'],
      links: { [stranger.username]: `/users/${stranger.me.id}` },
      buttons: ['Add friend'],
    });
    const profile = await open(`/users/${stranger.me.id}`, me);
    await expectToHold(profile, { headings: [stranger.username] });
    await profile.getByRole('button', { name: 'Add friend' }).click();
    await profile.getByRole('button', { name: 'Invitation Sent' }).waitFor();
    await expectToHold(await open('/profile', me), {
      headings: ['Update Profile Details'],
      texts: ['0 Points', me.username, 'Ada Wolfe', '41-17 Main Street', 'Flushing, NY 11355'],
      buttons: ['Update'],
      fields: ['username', 'firstName', 'lastName', 'streetAddress', 'city', 'state', 'zip', 'email'],
    });
    await expectToHold(await open('/friends', me), {
      headings: ['Friends'],
      texts: ['Bea Hill', 'from Corona'],
      links: { [friend.username]: `/users/${friend.me.id}` },
      buttons: ['Send Message'],
    });
    await expectToHold(await open('/friends', asking), { texts: ['No Friends, go find some!'] });
    for (const path of ['/FriendsInvitation', '/pendingFriendRequests']) {
      const page = await open(path, me);
      await page.getByRole('button', { name: /^Accept/ }).waitFor();
      await page.getByRole('button', { name: /^Decline/ }).waitFor();
    }
    await expectToHold(await open('/FriendsInvitation', friend), { texts: ['No pending requests'] });
  });

  it('words the ranking and the messenger', async () => {
    const ranking = await open('/leaderboard', me);
    await expectToHold(ranking, {
      headings: ['Leaderboard', 'Global Rankings'],
      texts: ['Top users from around the world!', '1st', '2nd'],
      columns: ['Rank', expect.anything(), 'Username', 'Total points'],
    });
    const filter = ranking.getByRole('combobox', { name: 'Filter by:' });
    await filter.selectOption({ label: 'Friend Rankings' });
    await ranking.getByRole('heading', { name: 'Friend Rankings' }).waitFor();
    await filter.selectOption({ label: 'All Rankings' });

    const messenger = await open(`/messenger/${conversationId}`, me);
    await expectToHold(messenger, { headings: ['Friends'], buttons: ['Send'] });
    const conversation = messenger.getByRole('link', { name: new RegExp(friend.username) }).first();
    expect(await conversation.getAttribute('href')).toBe(`/messenger/${conversationId}`);
    const input = messenger.getByPlaceholder('write something...');
    expect(await input.evaluate(({ tagName }) => tagName)).toBe('TEXTAREA');
  });
});
