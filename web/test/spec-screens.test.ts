import {
  befriend,
  complete,
  describeWith,
  eventually,
  newChallenge,
  newUser,
  pressKey,
  type TestUser,
} from '@wayquest/testing';
import type { Locator, Page } from 'playwright-core';
import { useSite } from './support/start-site.ts';

/** Checks in a browser that each screen has the elements listed in section 2 of the specification. */

interface ScreenElements {
  /** Visible texts. */
  texts?: string[];
  headings?: string[];
  buttons?: string[];
  /** Link texts and their targets. */
  links?: Record<string, string>;
  /** The `name` attributes of fields. */
  fields?: string[];
  placeholders?: Record<string, string>;
  options?: Record<string, string[]>;
  columns?: string[];
}

const valuesIn = (select: Locator) =>
  select.locator('option').evaluateAll((options) => options.map((option) => option.getAttribute('value')));

/** Waits until a page contains all listed elements. */
async function expectElements(page: Page, elements: ScreenElements): Promise<void> {
  const { texts = [], headings = [], buttons = [], links = {}, fields = [] } = elements;
  for (const name of headings) await page.getByRole('heading', { name, exact: true }).first().waitFor();
  for (const text of texts) await page.getByText(text).filter({ visible: true }).first().waitFor();
  for (const name of buttons) await page.getByRole('button', { name, exact: true }).first().waitFor();
  for (const [name, to] of Object.entries(links)) {
    const link = page.getByRole('link', { name, exact: true }).first();
    await link.waitFor();
    await eventually(async () => expect(await link.getAttribute('href')).toBe(to));
  }
  for (const name of fields) await page.locator(`[name="${name}"]`).first().waitFor();
  for (const [name, placeholder] of Object.entries(elements.placeholders ?? {}))
    await eventually(async () =>
      expect(await page.locator(`[name="${name}"]`).getAttribute('placeholder')).toBe(placeholder),
    );
  for (const [label, values] of Object.entries(elements.options ?? {})) {
    await eventually(async () =>
      expect(await valuesIn(page.getByLabel(label, { exact: true }))).toEqual(expect.arrayContaining(values)),
    );
  }
  if (elements.columns)
    await eventually(async () =>
      expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(elements.columns),
    );
}

(await describeWith('chromium'))('section 2 of the specification', () => {
  // Loading the gazetteer blocks the process for a while, so it is loaded before the tests.
  const site = useSite({ places: { preload: true } });
  let me: TestUser;
  let friend: TestUser;
  let asking: TestUser;
  let stranger: TestUser;
  let challengeId = 0;
  let conversationId = 0;
  const name = 'Walk around the lake';

  beforeAll(async () => {
    [me, friend, asking, stranger] = [
      await newUser(site.network),
      await newUser(site.network),
      await newUser(site.network),
      await newUser(site.network),
    ];
    await me.client.updateMe({
      body: {
        ...{ firstName: 'Ada', lastName: 'Wolfe', city: 'Flushing', state: 'NY', zip: '11355' },
        streetAddress: '41-17 Main Street',
        email: 'ada@wayquest.example',
      },
    });
    await friend.client.updateMe({
      body: { firstName: 'Bea', lastName: 'Hill', city: 'Corona', state: 'NY' },
    });
    await befriend(me, friend);
    await asking.client.requestFriend({ body: { friendId: me.me.id } });
    const place = { city: 'Flushing', state: 'NY', locationName: 'Kissena Park' };
    const days = { startDate: '2026-01-02', endDate: '2099-03-04' };
    ({ id: challengeId } = await newChallenge(friend, { name, description: 'Twice.', ...place, ...days }));
    await complete(friend, await newChallenge(stranger, { points: 40 }));
    await complete(stranger, await newChallenge(friend, { points: 30 }));
    await me.client.joinChallenge({ body: { challengeId } });
    await site.network.settle();
    ({ id: conversationId } = await me.client.openConversation({ body: { friend: { id: friend.me.id } } }));
  });

  const open = async (path: string, who?: TestUser): Promise<Page> =>
    (await site.visit(path, { token: who?.token })).page;

  it('has the specified navigation in its order, for visitors and logged-in users', async () => {
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
    await eventually(async () =>
      expect(await linksOf(visitor)).toEqual([...everyone, ['Sign Up', '/signup'], ['Log In', '/login']]),
    );
    await expectElements(visitor, {
      links: { 'Wayquest, home': '/home', 'Open-source libraries': '/libraries' },
    });

    const member = await open('/leaderboard', me);
    await member.getByRole('button', { name: /'s menu/ }).click();
    await member.getByRole('button', { name: 'Logout' }).waitFor();
    await eventually(async () =>
      expect((await linksOf(member)).filter(([, to]) => to !== '/notifications')).toEqual([
        ...everyone,
        ['Users', '/Users'],
        ['Profile', '/Profile'],
        ['Friends', '/Friends'],
        [expect.stringContaining('Friend Requests'), '/FriendsInvitation'],
        ['Messenger', '/Messenger'],
      ]),
    );
  });

  it('has the specified elements of the home page and the libraries', async () => {
    const home = await open('/home');
    await expectElements(home, {
      headings: [
        'Challenge Yourself to Explore Your World',
        'Make challenges',
        'Compete against friends',
        'Explore your local area',
      ],
      links: { 'Start Exploring': '/explore', 'Create an Account': '/signup' },
    });
    for (const title of ['Make challenges', 'Compete against friends', 'Explore your local area']) {
      const section = home
        .locator('section, article')
        .filter({ has: home.getByRole('heading', { name: title }) });
      expect((await section.last().locator('p').allInnerTexts()).join(' ')).toMatch(/\w+ \w+ \w+/);
    }
    const libraries = await open('/libraries');
    await expectElements(libraries, { headings: ['Libraries'], texts: ['react', 'redux-saga'] });
    const versions = libraries.getByRole('main').locator('tbody td:nth-of-type(1)');
    // A version with hyphens could break at each of them.
    await versions.first().evaluate((cell) => {
      cell.textContent = '10.0.0-beta-candidate-12';
    });
    for (const width of [320, 800]) {
      await libraries.setViewportSize({ width, height: 640 });
      const lines = await versions.evaluateAll((cells) =>
        cells.map((cell) => {
          const text = document.createRange();
          text.selectNodeContents(cell);
          return text.getClientRects().length;
        }),
      );
      expect(new Set(lines)).toEqual(new Set([1]));
    }
  });

  it('has the specified elements for visitors', async () => {
    const login = await open('/login');
    await expectElements(login, {
      buttons: ['Login'],
      links: {
        "Don't have an account? Create Account": '/signup',
        'Sign in with Google': '/api/googleOauth',
      },
      placeholders: { username: 'username', password: 'password' },
    });
    for (const field of ['username', 'password'])
      expect(await login.locator(`[name="${field}"]`).getAttribute('required')).not.toBeNull();
    await expectElements(await open('/signup'), {
      buttons: ['Sign Up'],
      links: { 'Sign Up with Google': '/api/googleOauth' },
      placeholders: { username: 'username', password: 'password' },
    });
    const detail = await open(`/challenges/${challengeId}`);
    await detail.getByRole('button', { name: 'Join Challenge!' }).click();
    await detail.waitForURL('**/signup');
  });

  it('has the specified elements of the map', async () => {
    const page = await open('/explore', me);
    await expectElements(page, {
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
    await eventually(async () => {
      const size = await page.locator('[class*="frame"], [class*="stage"]').first().boundingBox();
      expect([size?.width, size?.height].map((length) => Math.round((length ?? 0) / 10))).toEqual([115, 81]);
    });
    await page.goto('/explore?spot=40.75,-73.83');
    await expectElements(page, {
      texts: ['Create a Challenge'],
      buttons: ['Set as Map Center', 'Create Challenge'],
    });
    const form = page.getByRole('form');
    await page.getByRole('dialog').getByText(/NY/).first().waitFor();
    for (const label of ['Challenge Name', 'Start date', 'End date', 'Difficulty'])
      await form.getByLabel(label).waitFor();
    await eventually(async () =>
      expect(await valuesIn(form.getByLabel('Difficulty'))).toEqual(
        expect.arrayContaining(['Easy', 'Medium', 'Hard']),
      ),
    );
  });

  it('has the specified elements of the windows of places and challenges on the map', async () => {
    const page = await open(`/explore?challenge=${challengeId}`, me);
    const window = page.getByRole('dialog');
    await window.getByRole('heading', { name }).waitFor();
    for (const text of ['Easy', 'Ongoing', /January 2 2026/, /March 4 2099/])
      await window.getByText(text).first().waitFor();
    await page.goto('/explore?at=40.7459,-73.8467&zoom=15&type=museum');
    await pressKey(page.locator('.leaflet-marker-pane').getByRole('button', { name: /^Queens Museum/ }));
    await window.getByRole('heading', { name: 'Queens Museum' }).waitFor();
    expect(await window.locator('svg').count()).toBeGreaterThan(0);
    expect(await window.locator('p').first().textContent()).toMatch(/\p{L}{3}/u);
    for (const label of ['Challenge Name', 'Start date', 'End date', 'Difficulty'])
      await window.getByLabel(label).waitFor();
    await window.getByRole('button', { name: 'Create Challenge' }).waitFor();
  });

  it('has the specified elements of challenges', async () => {
    const page = await open('/challenges#add-a-challenge', me);
    await expectElements(page, {
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
    await expectElements(detail, {
      headings: [name],
      texts: ['Easy', 'Created by', friend.username, 'Twice.', 'January 2 2026'],
      buttons: ['Leave Challenge', 'Mark as Complete'],
    });
    expect(await detail.getByRole('button', { name: 'Delete Challenge' }).count()).toBe(0);
    const participant = detail.getByRole('link', { name: new RegExp(me.username) }).first();
    await eventually(async () => expect(await participant.getAttribute('href')).toBe(`/users/${me.me.id}`));
  });

  it('has the specified elements of users and profiles', async () => {
    const users = await open('/users', me);
    await expectElements(users, {
      headings: ['Find Users', 'Suggested Friends', stranger.username],
      fields: ['search'],
      links: { [stranger.username]: `/users/${stranger.me.id}` },
      buttons: ['Add friend'],
    });
    const profile = await open(`/users/${stranger.me.id}`, me);
    await expectElements(profile, { headings: [stranger.username] });
    await profile.getByRole('button', { name: 'Add friend' }).click();
    await profile.getByRole('button', { name: 'Invitation Sent' }).waitFor();
    await expectElements(await open(`/users/${friend.me.id}`, me), {
      headings: [friend.username],
      texts: ['Bea Hill', 'Corona, NY', '40 points'],
    });
    await expectElements(await open('/profile#update-title', me), {
      headings: ['Update Profile Details'],
      texts: [
        '0 Points',
        me.username,
        'ada@wayquest.example',
        'Ada Wolfe',
        '41-17 Main Street',
        'Flushing, NY 11355',
      ],
      buttons: ['Update'],
      fields: ['username', 'firstName', 'lastName', 'streetAddress', 'city', 'state', 'zip', 'email'],
    });
    await expectElements(await open('/friends', me), {
      headings: ['Friends'],
      texts: ['Bea Hill', 'from Corona'],
      links: { [friend.username]: `/users/${friend.me.id}` },
      buttons: ['Send Message'],
    });
    await expectElements(await open('/friends', asking), { texts: ['No Friends, go find some!'] });
    for (const path of ['/FriendsInvitation', '/pendingFriendRequests']) {
      const page = await open(path, me);
      await page.getByRole('button', { name: /^Accept/ }).waitFor();
      await page.getByRole('button', { name: /^Decline/ }).waitFor();
    }
    await expectElements(await open('/FriendsInvitation', friend), { texts: ['No pending requests'] });
  });

  it('has the specified elements of the leaderboard and the messenger', async () => {
    const ranking = await open('/leaderboard', me);
    await expectElements(ranking, {
      headings: ['Leaderboard', 'Global Rankings'],
      texts: ['Top users from around the world!', '1st', '2nd'],
      columns: ['Rank', expect.anything(), 'Username', 'Total points'],
    });
    const filter = ranking.getByRole('combobox', { name: 'Filter by:' });
    await filter.selectOption({ label: 'Friend Rankings' });
    await ranking.getByRole('heading', { name: 'Friend Rankings' }).waitFor();
    await filter.selectOption({ label: 'All Rankings' });

    await expectElements(await open('/messenger', me), { texts: ['Open a Conversation'] });
    const messenger = await open(`/messenger/${conversationId}`, me);
    await expectElements(messenger, { headings: ['Friends'], buttons: ['Send'] });
    const conversation = messenger.getByRole('link', { name: new RegExp(friend.username) }).first();
    await eventually(async () =>
      expect(await conversation.getAttribute('href')).toBe(`/messenger/${conversationId}`),
    );
    const input = messenger.getByPlaceholder('write something...');
    expect(await input.evaluate(({ tagName }) => tagName)).toBe('TEXTAREA');
    await input.fill('Here we go');
    await messenger.getByRole('button', { name: 'Send' }).click();
    const bubbleIn = (page: Page) => page.getByRole('article').filter({ hasText: 'Here we go' });
    await bubbleIn(messenger).getByText('just now').waitFor();
    const theirs = await open(`/messenger/${conversationId}`, friend);
    await bubbleIn(theirs).waitFor();
    const placeOf = async (page: Page) => {
      const [bubble, log] = [
        await bubbleIn(page).boundingBox(),
        await page.getByRole('log', { name: 'Messages' }).boundingBox(),
      ];
      return (bubble?.x ?? 0) + (bubble?.width ?? 0) / 2 > (log?.x ?? 0) + (log?.width ?? 0) / 2
        ? 'right'
        : 'left';
    };
    expect([await placeOf(messenger), await placeOf(theirs)]).toEqual(['right', 'left']);

    // If the friendship ends while the conversation is open, the input disappears.
    const [friendship] = await friend.client.listFriendRequests({ query: { with: String(me.me.id) } });
    await friend.client.removeFriend({ params: { id: String(friendship?.id) } });
    await messenger.getByText('no longer friends with').waitFor();
    expect(await input.count()).toBe(0);
    await bubbleIn(messenger).waitFor();
  });

  it.each([1, 2, 3])('has a centered podium with %i users', async (count) => {
    const { page } = await site.browser.visitor();
    await page.route(/\/api\/leaderboard/, async (route) => {
      const response = await route.fetch();
      const ranking = await response.json();
      const [first] = ranking.podium;
      const podium = [1, 2, 3]
        .slice(0, count)
        .map((place) => ({ ...first, id: place, username: `nr ${place}` }));
      await route.fulfill({ response, json: { ...ranking, podium } });
    });
    await page.goto('/leaderboard');
    const places = page.getByRole('list', { name: 'Podium' }).getByRole('listitem');
    await eventually(async () => expect(await places.count()).toBe(count));
    for (const [at, ordinal] of ['1st', '2nd', '3rd'].slice(0, count).entries()) {
      await places.nth(at).getByText(ordinal, { exact: true }).waitFor();
      await places
        .nth(at)
        .getByText(`nr ${at + 1}`, { exact: true })
        .waitFor();
    }
    const boxes = await places.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
    const middle =
      (Math.min(...boxes.map(({ left }) => left)) + Math.max(...boxes.map(({ right }) => right))) / 2;
    const pageMiddle = (await page.evaluate(() => document.documentElement.clientWidth)) / 2;
    expect(Math.abs(middle - pageMiddle)).toBeLessThan(2);
  });
});
