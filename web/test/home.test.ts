import type { Challenge, Participation } from '@wayquest/contracts';
import {
  befriend,
  complete,
  describeWith,
  eventually,
  newChallenge,
  newPicture,
  newUser,
  pressKey,
  type TestUser,
  testPassword,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { sortByEndDate } from '../src/features/home/open-participations.ts';
import { challenge, participation } from './support/fixtures.ts';
import { signUp } from './support/sign-up.ts';
import { useSite } from './support/start-site.ts';

describe('joined challenges', () => {
  const now = new Date('2026-05-04T16:00:00Z');
  const participationEnding = (id: number, endDate: string | null, changes: Partial<Participation> = {}) => ({
    ...participation,
    id,
    challenge: { ...participation.challenge, endDate },
    ...changes,
  });

  it('are sorted by end date, those without one last, excluding completed and ended ones', () => {
    const participations = [
      participationEnding(1, null),
      participationEnding(2, '2026-06-01'),
      participationEnding(3, '2026-05-04'),
      participationEnding(4, '2026-05-03'),
      participationEnding(5, '2026-05-05', { completed: true }),
      participationEnding(6, null),
      participationEnding(7, '2026-06-01'),
    ];
    expect(sortByEndDate(participations, now).map(({ id }) => id)).toEqual([3, 7, 2, 6, 1]);
  });
});

(await describeWith('chromium'))('the home page', () => {
  // Loading the gazetteer blocks the process for a while, so it is loaded before the tests.
  const site = useSite({ places: { preload: true } });
  let maya: TestUser;
  let theo: TestUser;
  let stranger: TestUser;

  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const place = { position: { lat: 40.75, lng: -73.83 } };

  const visit = async (user?: TestUser) => {
    const { page, consoleErrors } = await site.browser.visitor({ token: user?.token });
    return { page, consoleErrors };
  };
  const expectHeadings = (page: Page, region: string, expected: string[]) =>
    eventually(async () => {
      const headings = page.getByRole('region', { name: region }).getByRole('heading', { level: 3 });
      expect(await headings.allTextContents()).toEqual(expected);
    });

  beforeAll(async () => {
    [maya, theo, stranger] = [
      await newUser(site.network, 'maya'),
      await newUser(site.network, 'theo'),
      await newUser(site.network, 'zoe'),
    ];
    await befriend(maya, theo);
    const last = await newChallenge(stranger, { ...place, name: 'No hurry' });
    const first = await newChallenge(stranger, { ...place, name: 'Ends soon', endDate: inDays(3) });
    await newChallenge(stranger, { ...place, name: 'Fresh' });
    await newChallenge(maya, { ...place, name: 'Her own' });
    for (const { id } of [last, first]) await maya.client.joinChallenge({ body: { challengeId: id } });
    await complete(theo, first);
    await complete(stranger, last);
    await site.network.settle();
  });

  it('shows a logged-in user their challenges by end date, new challenges, friends’ completions, and the own rank from the first points on (53, finding 15)', async () => {
    const { page, consoleErrors } = await visit(maya);
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await page.goto('/home');
    const friends = page.getByRole('region', { name: 'Friends’ latest' });
    await friends.getByRole('link', { name: 'Ends soon' }).waitFor();
    await friends.getByText('theo').waitFor();
    expect(await friends.getByRole('listitem').count()).toBe(1);
    const band = page.locator('section').filter({ has: page.locator('h1') });
    expect((await band.boundingBox())?.height).toBeLessThan(80);
    await expectHeadings(page, 'In progress', ['Ends soon', 'No hurry']);
    const headings = page.getByRole('main').getByRole('heading', { level: 2 });
    const own = ['In progress', 'New on the map', 'Friends’ latest'];
    expect(await headings.allTextContents()).toEqual(own);
    await page.getByText('How Wayquest works').click();
    const stories = ['Make challenges', 'Compete against friends', 'Explore your local area'];
    expect(await headings.allTextContents()).toEqual([...own, ...stories]);
    await page.getByRole('region', { name: 'New on the map' }).getByText('Fresh').waitFor();
    await expectHeadings(page, 'New on the map', ['Fresh']);
    expect(await page.getByRole('link', { name: /Rank/ }).count()).toBe(0);
    // The page's own requests, without those that every page sends.
    const requests = calls.filter((path) => /challengeLine|challenges\/|completions|leaderboard/.test(path));
    expect(new Set(requests)).toEqual(
      new Set(['/api/challengeLine/', '/api/challenges/', '/api/completions/friends']),
    );
    // Twice if a restored connection repeats them.
    expect(requests.length).toBeLessThanOrEqual(2 * 4);
    const withPoints = await visit(theo);
    await withPoints.page.goto('/home');
    await withPoints.page.getByRole('link', { name: /10 points.*Rank \d.*10 this month/ }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  describe('of a member with a town', () => {
    const position = { lat: 39.8, lng: -89.65 };
    const springfield = { name: 'Springfield', type: null, matchesAll: true, position };
    const challengeAt = (id: number, lat: number): Challenge => ({
      ...challenge,
      ...{ id, name: `Challenge ${id}`, position: { lat, lng: -89.65 } },
    });

    /** Opens the home page of somebody from a town; the searches for places and challenges are stubs. */
    async function visitFrom(
      town: { city: string; state: string },
      places: Record<string, object[]>,
      challengesOf: (limit: number, userId: number) => Challenge[],
    ) {
      const user = await newUser(site.network);
      await user.client.updateMe({ body: town });
      const searched: string[] = [];
      const listed: object[] = [];
      const { page } = await visit(user);
      await page.route('**/api/places/search?*', async (route) => {
        const text = new URL(route.request().url()).searchParams.get('text') ?? '';
        searched.push(text);
        const place = { id: '1', vicinity: '', streetAddress: '', city: '', state: '', zip: '' };
        await route.fulfill({ json: (places[text] ?? []).map((found) => ({ ...place, ...found })) });
      });
      await page.route('**/api/challenges/?*', async (route) => {
        const query = Object.fromEntries(new URL(route.request().url()).searchParams);
        listed.push(query);
        await route.fulfill({ json: challengesOf(Number(query.limit), user.me.id) });
      });
      await page.goto('/home');
      return { page, searched, listed };
    }
    const near = { near: '39.8,-89.65', radius: '30000' };
    const first = { scope: 'all', phase: 'open', limit: '15' };

    it('lists challenges around it, the nearest first, and the newest first at the same position', async () => {
      const { page, searched, listed } = await visitFrom(
        { city: 'Springfield', state: 'IL' },
        { 'Springfield, IL': [springfield] },
        () => [challengeAt(1, 39.8), challengeAt(3, 39.8), challengeAt(2, 39.9)],
      );
      await expectHeadings(page, 'Near you', ['Challenge 3', 'Challenge 1', 'Challenge 2']);
      expect(searched).toEqual(['Springfield, IL']);
      expect(listed).toEqual([{ ...first, ...near }]);
    });

    it('finds it by its name alone if no place matches with its state', async () => {
      const { page, listed } = await visitFrom(
        { city: 'Springfield', state: 'Illinoi' },
        { 'Springfield, Illinoi': [{ ...springfield, matchesAll: false }], Springfield: [springfield] },
        () => [challengeAt(1, 39.8)],
      );
      await expectHeadings(page, 'Near you', ['Challenge 1']);
      expect(listed).toEqual([{ ...first, ...near }]);
    });

    it('searches its name if only partial matches or places of another type are found', async () => {
      const { page, listed } = await visitFrom(
        { city: 'Nowhere', state: '' },
        {
          Nowhere: [
            { ...springfield, matchesAll: false },
            { ...springfield, type: 'park' },
          ],
        },
        () => [challengeAt(1, 39.8)],
      );
      await expectHeadings(page, 'Near you', ['Challenge 1']);
      expect(listed).toEqual([{ ...first, search: 'Nowhere' }]);
    });

    it('loads growing parts of the list until enough of it are from others', async () => {
      const { page, listed } = await visitFrom(
        { city: 'Springfield', state: '' },
        { Springfield: [springfield] },
        (limit, userId) =>
          Array.from({ length: Math.min(limit, 40) }, (_, at) => ({
            ...challengeAt(at + 1, 39.8 + at / 1_000),
            ...(at < 37 && { creator: { id: userId, username: 'me' } }),
          })),
      );
      await expectHeadings(page, 'Near you', ['Challenge 38', 'Challenge 39', 'Challenge 40']);
      expect(listed).toEqual([
        { ...first, ...near },
        { ...first, ...near, limit: '75' },
      ]);
    });
  });

  it('shows a retry button for a section that could not be loaded', async () => {
    const { page } = await visit(theo);
    await page.route('**/api/completions/**', (route) => route.fulfill({ status: 500, body: 'broken' }));
    await page.goto('/home');
    const friends = page.getByRole('region', { name: 'Friends’ latest' });
    const retry = friends.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute('**/api/completions/**');
    await retry.click();
    await friends.getByText('No recent activity from your friends.').waitFor();
    await page.getByText('Nothing in progress.').waitFor();
  });

  it('shows friends’ latest completions with their photos, to thank for; nothing without friends (53)', async () => {
    const [own] = await theo.client.listParticipations({ query: { completed: 'true' } });
    const params = { id: own?.id ?? 0 };
    await theo.client.updatePhoto({ params, body: newPicture() });
    const { page } = await visit(maya);
    await page.goto('/home');
    const friends = page.getByRole('region', { name: 'Friends’ latest' });
    const photo = friends.getByAltText('Photo by theo');
    await photo.waitFor();
    await friends.getByText('1 thanks').waitFor({ state: 'detached' });
    const thanks = friends.getByRole('button', { name: 'Thanks' });
    await thanks.click();
    await friends.getByText('1 thanks').waitFor();
    expect(await theo.client.getLogEntry({ params })).toMatchObject({ thanks: { count: 1, mine: false } });
    await friends.getByRole('button', { name: 'Thanks', pressed: true }).click();
    await friends.getByRole('button', { name: 'Thanks', pressed: false }).waitFor();
    await friends.getByText('1 thanks').waitFor({ state: 'detached' });

    const alone = await visit(stranger);
    const [answer] = await Promise.all([
      alone.page.waitForResponse('**/api/completions/friends**'),
      alone.page.goto('/home'),
    ]);
    expect(await answer.json()).toEqual({ hasFriends: false, entries: [] });
    await alone.page.getByRole('region', { name: 'In progress' }).waitFor();
    await alone.page.getByRole('region', { name: 'Friends’ latest' }).waitFor({ state: 'detached' });
  });

  it('shows a visitor open challenges in a list and on a map', async () => {
    const { page, consoleErrors } = await visit();
    await page.goto('/home');
    await page.getByRole('region', { name: 'Open right now' }).getByText('Fresh').waitFor();
    await expectHeadings(page, 'Open right now', ['Her own', 'Fresh', 'Ends soon']);
    await page.getByRole('region', { name: 'Open right now' }).getByRole('link', { name: 'Fresh' }).click();
    // The address changes before the home page, which has buttons to join too, is replaced.
    await page.getByRole('button', { name: 'Share' }).waitFor();
    await page.getByRole('button', { name: 'Join Challenge!' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Explore the map' }).scrollIntoViewIfNeeded();
    const dots = page.getByRole('list', { name: 'Map of open challenges' }).getByRole('link');
    // All three have the same position.
    await pressKey(dots.filter({ hasText: '3 here: Her own, Fresh, Ends soon' }));
    await page.waitForURL(/\/explore\?at=40\.75,-73\.83&zoom=14/);
    expect(consoleErrors).toEqual([]);
  });

  it('links from the ranking to a nearby challenge that earns enough to overtake the next user', async () => {
    const { page, consoleErrors } = await visit(maya);
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ latitude: place.position.lat, longitude: place.position.lng });
    await page.goto('/leaderboard');
    await page.getByText('10 points to overtake').waitFor();
    const next = page.getByRole('link', { name: /^Complete this to overtake: (No hurry|Ends soon|Fresh)$/ });
    expect(await next.getAttribute('href')).toMatch(/^\/challenges\/\d+$/);
    expect(consoleErrors).toEqual([]);
  });

  it('asks a new user once for their location and interests, and shows three challenges', async () => {
    await newChallenge(stranger, { ...place, name: 'Sit by the pond', locationName: 'Kissena Park' });
    await newChallenge(stranger, { ...place, name: 'Read the plaque' });
    const { page, consoleErrors } = await visit();
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ latitude: place.position.lat, longitude: place.position.lng });
    await page.goto('/signup');
    await signUp(page, 'newcomer');
    const pressButton = (name: string) => pressKey(page.getByRole('button', { name, exact: true }));
    await pressButton('Use my location');
    const heading = page.getByRole('heading', { name: 'What are you interested in?' });
    await heading.waitFor();
    await eventually(() => heading.evaluate((element) => element === document.activeElement));
    await page.reload();
    await pressButton('Parks');
    await pressButton('Show three challenges');
    const expectThree = async () => {
      // Suggestions of what they like come before challenges of other kinds.
      await expectHeadings(page, 'Three to get you started', ['Sit by the pond']);
      const three = page.getByRole('region', { name: 'Three to get you started' }).getByRole('listitem');
      expect(await three.count()).toBe(3);
    };
    await expectThree();
    await page.reload();
    await expectThree();
    // Browser storage does not contain their position.
    expect(
      await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])),
    ).not.toMatch(String(place.position.lat));
    await pressButton("Skip, I'll look around");
    await page.getByRole('region', { name: 'In progress' }).waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'Near you' }).waitFor();
    expect(await page.getByText('Where do you want to explore?').count()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });

  it('shows the nearest challenges first with distances, and keeps the distances in another order', async () => {
    const lisbon = { lat: 38.7223, lng: -9.1393 };
    const north = (degrees: number) => ({ position: { ...lisbon, lat: lisbon.lat + degrees } });
    await newChallenge(stranger, { ...north(0.0108), name: 'Round the corner' });
    await newChallenge(stranger, { ...north(0.09), name: 'Over the hill' });
    const { page, consoleErrors } = await visit();
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ latitude: lisbon.lat, longitude: lisbon.lng });
    await page.goto('/home');
    const region = page.getByRole('region', { name: 'Open right now' });
    await region.getByRole('article').filter({ hasText: 'Round the corner' }).getByText('0.7 mi').waitFor();
    await expectHeadings(page, 'Open right now', ['Round the corner', 'Over the hill']);
    await page.goto('/challenges');
    const card = page.getByRole('article').filter({ hasText: 'Over the hill' });
    await card.getByText('6.2 mi away').waitFor();
    const names = page.getByRole('list', { name: 'All Challenges' }).getByRole('heading');
    expect((await names.allTextContents()).slice(0, 2)).toEqual(['Round the corner', 'Over the hill']);
    expect(await page.getByLabel('Sort by').inputValue()).toBe('nearest');
    await page.getByLabel('Sort by').selectOption('newest');
    await page.waitForURL('**/challenges?sort=newest');
    await eventually(async () => expect((await names.allTextContents())[0]).toBe('Over the hill'));
    await card.getByText('6.2 mi away').waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('shows distances in the units that were chosen in the settings (53, finding 13)', async () => {
    const porto = { lat: 41.15, lng: -8.61 };
    const { id } = await newChallenge(stranger, { position: { ...porto, lat: 41.24 }, name: 'Up the river' });
    const { page, consoleErrors } = await visit(maya);
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ latitude: porto.lat, longitude: porto.lng });
    await page.goto(`/challenges/${id}`);
    await page.getByText('6.2 mi away').waitFor();
    await page.goto('/settings');
    const units = page.getByRole('group', { name: 'Distances' });
    await units.getByRole('button', { name: 'Miles', pressed: true }).waitFor();
    await units.getByRole('button', { name: 'Kilometers', pressed: false }).click();
    await units.getByRole('button', { name: 'Kilometers', pressed: true }).waitFor();
    await page.goto(`/challenges/${id}`);
    await page.getByText('10 km away').waitFor();
    await page.goto('/challenges?near=41.15,-8.61&within=24.14');
    const within = page.getByLabel('Within').locator('option');
    await eventually(async () =>
      expect(await within.allTextContents()).toEqual([
        'Any distance',
        ...['24\u00a0km', '1\u00a0km', '5\u00a0km', '25\u00a0km', '100\u00a0km'],
      ]),
    );
    expect(consoleErrors).toEqual([]);
  });

  it('leads a new user without challenges nearby to a suggested one in three taps, for the town and not for a point in it (53, finding 3)', async () => {
    const { page, consoleErrors } = await visit();
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ latitude: 25.045, longitude: 121.531 });
    await page.goto('/signup');
    await signUp(page, 'taipeier');
    const pressButton = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await pressButton('Use my location');
    await pressButton('Show three challenges');
    const suggested = page.getByRole('region', { name: 'Three to get you started' });
    await suggested.getByRole('listitem').nth(2).waitFor();
    const first = (await suggested.getByRole('listitem').first().textContent()) ?? '';
    expect(first).toMatch(/Taipei.*Suggested.*in Taipei/);
    expect(first).not.toMatch(/\d\s?k?m\b/);
    await suggested.getByRole('button', { name: 'Join Challenge!' }).first().click();
    await page.waitForURL('**/challenges/*');
    await page.getByRole('button', { name: 'Mark as Complete' }).waitFor();
    await page.getByText('Created by Wayquest').waitFor();
    await page.getByText('Suggested', { exact: true }).waitFor();
    await page.getByText('1 participant', { exact: true }).waitFor();
    const place = page.getByRole('region', { name: 'Location' });
    await place.getByText('Anywhere in Taipei counts.').waitFor();
    expect(await place.getByRole('link', { name: 'Directions' }).count()).toBe(0);
    expect(await page.getByText('away', { exact: false }).count()).toBe(0);
    const name = (await page.locator('h1').textContent()) ?? '';
    await place.scrollIntoViewIfNeeded();
    const pin = place.getByRole('listitem').getByRole('link', { name, exact: true });
    await pin.waitFor();
    expect(await pin.getAttribute('href')).toMatch(/^\/explore\?.*challenge=\d+/);

    // Another visitor finds the challenge created from the suggestion.
    const other = await visit();
    await other.page.context().grantPermissions(['geolocation']);
    await other.page.context().setGeolocation({ latitude: 25.045, longitude: 121.531 });
    await other.page.goto('/challenges?near=25.045,121.531&sort=nearest');
    await other.page.getByRole('article').filter({ hasText: name }).getByText('Suggested').waitFor();
    // In each reader's language, whoever joined first (53, finding 5).
    const chinese = await site.browser.visitor({ locale: 'zh-CN' });
    await chinese.page.goto(new URL(page.url()).pathname);
    await chinese.page
      .locator('h1')
      .filter({ hasText: /Taipei/ })
      .waitFor();
    expect(await chinese.page.locator('h1').textContent()).toMatch(/\p{Script=Han}/u);
    await chinese.page.getByText('Taipei 市内任何地方都算。').waitFor();
    await chinese.page.goto('/challenges?near=25.045,121.531&sort=nearest');
    await chinese.page.getByRole('article').filter({ hasText: '推荐' }).first().waitFor();
    expect(await chinese.page.getByText(name).count()).toBe(0);
    const rest = other.page.getByRole('region', { name: 'Suggested around here' });
    await rest.getByRole('listitem').nth(2).waitFor();
    expect(await rest.getByText(name).count()).toBe(0);
    await rest.getByRole('button', { name: 'Join Challenge!' }).first().click();
    await other.page.waitForURL('**/signup');
    expect([...consoleErrors, ...other.consoleErrors]).toEqual([]);
  });

  /** Signs up at a position, and answers the questions of the welcome. */
  const welcomeAt = async (
    username: string,
    at: { latitude: number; longitude: number },
    interest?: string,
  ) => {
    const { page, consoleErrors } = await visit();
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation(at);
    await page.goto('/signup');
    await signUp(page, username);
    const pressButton = (name: string) => pressKey(page.getByRole('button', { name, exact: true }));
    await pressButton('Use my location');
    if (interest) await pressButton(interest);
    await pressButton('Show three challenges');
    return { page, consoleErrors, pressButton };
  };

  it('says that nothing is nearby, with what to do, only where nothing is shown (53, finding 9)', async () => {
    const { page, consoleErrors } = await welcomeAt('sailor', { latitude: 48, longitude: -30 });
    const empty = page.getByRole('region', { name: 'Nothing near you yet' });
    await empty.getByRole('link', { name: 'Add a challenge' }).click();
    await page.waitForURL('**/challenges#add-a-challenge');
    expect(consoleErrors).toEqual([]);
    const inBerlin = await welcomeAt('berliner', { latitude: 52.52, longitude: 13.405 });
    const three = inBerlin.page.getByRole('region', { name: 'Three to get you started' });
    await three.getByText('Nobody has started one here yet. Pick one and be first.').waitFor();
    expect(await three.getByRole('listitem').count()).toBe(3);
    expect(await inBerlin.page.getByText('Nothing near you').count()).toBe(0);
    await inBerlin.pressButton("Skip, I'll look around");
    const near = inBerlin.page.getByRole('region', { name: 'Near you' });
    await near.getByText('Suggested around here').waitFor();
    expect(await inBerlin.page.getByText('Nothing near you').count()).toBe(0);
    expect(inBerlin.consoleErrors).toEqual([]);
  });

  it('suggests challenges to a visitor abroad, before what is new elsewhere (53, finding 12)', async () => {
    const { page, consoleErrors } = await visit();
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ latitude: 64.1466, longitude: -21.9426 });
    await page.goto('/home');
    const open = page.getByRole('region', { name: 'Open right now' });
    await open.getByText('These are new elsewhere.').waitFor();
    const items = open.getByRole('listitem');
    await items.filter({ hasText: 'in Reykjavík' }).nth(2).waitFor();
    expect((await items.allTextContents()).slice(0, 3)).toEqual(
      Array(3).fill(expect.stringContaining('in Reykjavík')),
    );
    expect(await open.getByText('Nothing near you').count()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });

  describe('joining before having an account (53)', () => {
    const oslo = { latitude: 59.9127, longitude: 10.7461 };
    const openAt = async (path: string, at: { latitude: number; longitude: number }) => {
      const visitor = await visit();
      await visitor.page.context().grantPermissions(['geolocation']);
      await visitor.page.context().setGeolocation(at);
      await visitor.page.goto(path);
      return visitor;
    };
    const joinIn = (page: Page, text: string) =>
      page
        .getByRole('region', { name: 'Open right now' })
        .getByRole('listitem')
        .filter({ hasText: text })
        .getByRole('button', { name: 'Join Challenge!' })
        .first();
    const participationsOf = (challengeId: number) =>
      stranger.client.listParticipations({ query: { challengeId } });

    it.each([
      ['a challenge', 'Swim in the fjord', 'Swim in the fjord'],
      ['a suggestion', 'in Oslo', 'Oslo'],
    ])('leads from the landing page to %s in two taps and one form', async (_kind, card, name) => {
      if (card === name)
        await newChallenge(stranger, { name, position: { lat: oslo.latitude, lng: oslo.longitude } });
      const { page, consoleErrors } = await openAt('/', oslo);
      const joins: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && /challenge/.test(request.url()))
          joins.push(new URL(request.url()).pathname);
      });
      await joinIn(page, card).click();
      await page.waitForURL('**/signup');
      await page.getByText(new RegExp(`You'll join “.*${name}.*” once you have an account.`)).waitFor();
      // The second tap.
      await signUp(page, card === name ? 'fjord-swimmer' : 'oslo-walker');
      await page.waitForURL('**/challenges/*');
      await page.getByRole('button', { name: 'Mark as Complete' }).waitFor();
      await page.getByText("You're in. Go whenever you like.", { exact: true }).first().waitFor();
      expect(await page.locator('h1').textContent()).toContain(name);
      expect(joins).toEqual([...(card === name ? [] : ['/api/challenges/suggested']), '/api/challengeLine/']);
      // It is forgotten: leaving does not join again, and neither does the next login.
      await page.getByRole('button', { name: 'Leave Challenge' }).click();
      await page.getByRole('button', { name: 'Join Challenge!' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Join Challenge!' }).waitFor();
      expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('wayquest-join');
      expect(consoleErrors).toEqual([]);
    });

    it('survives the visit to Google', async () => {
      const challenge = await newChallenge(stranger, { ...place, name: 'Hum on the bridge' });
      const { page, consoleErrors } = await openAt(`/challenges/${challenge.id}`, oslo);
      const { token, me } = await newUser(site.network);
      await page.route('**/auth/code', (route) => route.fulfill({ json: { token } }));
      await page.getByRole('button', { name: 'Join Challenge!' }).click();
      await page.getByRole('link', { name: 'Sign Up with Google' }).waitFor();
      await page.goto('/login#code=once&new=1');
      await page.waitForURL(`**/challenges/${challenge.id}`);
      await page.getByRole('button', { name: 'Mark as Complete' }).waitFor();
      expect(await participationsOf(challenge.id)).toMatchObject([{ userId: me.id }]);
      expect(consoleErrors).toEqual([]);
    });

    it('is shown to whoever opens the form later, and can be refused', async () => {
      const challenge = await newChallenge(stranger, { ...place, name: 'Whistle in the tunnel' });
      const { page, consoleErrors } = await openAt(`/challenges/${challenge.id}`, oslo);
      await page.getByRole('button', { name: 'Join Challenge!' }).click();
      await page.waitForURL('**/signup');
      await page.goto('/libraries');
      await page.goto('/login');
      await page.getByText("You'll join “Whistle in the tunnel” once you've logged in.").waitFor();
      await page.getByRole('link', { name: "Don't have an account? Create Account" }).click();
      const note = page.getByText("You'll join “Whistle in the tunnel” once you have an account.");
      await note.waitFor();
      await page.getByRole('button', { name: "Don't join" }).click();
      await note.waitFor({ state: 'detached' });
      await signUp(page, 'no-whistler');
      await page.waitForURL('**/home');
      expect(await participationsOf(challenge.id)).toEqual([]);
      expect(consoleErrors).toEqual([]);
    });

    it('says so if they had joined it before, or it ended or was deleted meanwhile', async () => {
      const [joined, ended, deleted] = [
        await newChallenge(stranger, { ...place, name: 'Joined before' }),
        await newChallenge(stranger, { ...place, name: 'Ended meanwhile' }),
        await newChallenge(stranger, { ...place, name: 'Deleted meanwhile' }),
      ];
      const member = await newUser(site.network);
      const { id } = await member.client.joinChallenge({ body: { challengeId: joined.id } });
      const logInToJoin = async (challengeId: number, meanwhile?: () => Promise<unknown>) => {
        const { page } = await openAt(`/challenges/${challengeId}`, oslo);
        await page.getByRole('button', { name: 'Join Challenge!' }).click();
        await page.getByRole('link', { name: 'Already have an account? Log in' }).click();
        await page.getByText(/You'll join “.* (before|meanwhile)” once you've logged in./).waitFor();
        await meanwhile?.();
        await site.network.settle();
        const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Login' }) });
        await form.locator('[name="username"]').fill(member.username);
        await form.locator('[name="password"]').fill(testPassword);
        await form.getByRole('button', { name: 'Login' }).click();
        return page;
      };
      const first = await logInToJoin(joined.id);
      await first.getByRole('button', { name: 'Mark as Complete' }).waitFor();
      expect(await participationsOf(joined.id)).toMatchObject([{ id }]);
      const second = await logInToJoin(ended.id, () =>
        stranger.client.updateChallenge({
          params: { id: ended.id },
          body: { name: ended.name, difficulty: ended.difficulty, endDate: '2020-01-01' },
        }),
      );
      await second.getByText('This challenge ended on January 1, 2020.').waitFor();
      await second.getByText('This challenge has ended.').waitFor();
      expect(await participationsOf(ended.id)).toEqual([]);
      const third = await logInToJoin(deleted.id, () =>
        stranger.client.deleteChallenge({ params: { id: deleted.id } }),
      );
      await third.waitForURL('**/challenges');
      await third
        .getByText('The challenge that you wanted to join no longer exists. Here are others.')
        .waitFor();
    });
  });

  it('shows three equal cards, challenges before suggestions (53, finding 7)', async () => {
    const osaka = { latitude: 34.6937, longitude: 135.5023 };
    await newChallenge(stranger, {
      name: 'Count the towers of the castle',
      position: { lat: osaka.latitude, lng: osaka.longitude },
    });
    const { page, consoleErrors } = await welcomeAt('osakan', osaka);
    await page.setViewportSize({ width: 1280, height: 800 });
    const cards = page.getByRole('region', { name: 'Three to get you started' }).getByRole('listitem');
    await cards.nth(2).waitFor();
    expect(await cards.allTextContents()).toEqual([
      expect.stringContaining('Count the towers'),
      expect.stringContaining('in Osaka'),
      expect.stringContaining('in Osaka'),
    ]);
    const boxes = await cards.evaluateAll((elements) =>
      elements.map((element) => {
        const { top, width, height } = element.getBoundingClientRect();
        return [top, width, height].map(Math.round).join();
      }),
    );
    expect(new Set(boxes).size).toBe(1);
    expect(consoleErrors).toEqual([]);
  });

  it('shows what a new user is interested in, or says that it knows none (53, finding 8)', async () => {
    const berlin = await welcomeAt('collector', { latitude: 52.52, longitude: 13.405 }, 'Museums');
    await berlin.page.getByRole('listitem').filter({ hasText: 'museum in Berlin' }).waitFor();
    expect(await berlin.page.getByText('known near you').count()).toBe(0);
    const village = await welcomeAt('villager', { latitude: 44.9806, longitude: 2.625 }, 'Museums');
    await village.page.getByText('No museums known near you; these are close by.').waitFor();
    await village.page.getByRole('listitem').filter({ hasText: 'around Vic-sur-Cère' }).nth(2).waitFor();
    expect([...berlin.consoleErrors, ...village.consoleErrors]).toEqual([]);
  });

  it('suggests towns while a new user types one, and takes the chosen one (53, finding 11)', async () => {
    const { page, consoleErrors } = await visit();
    await page.goto('/signup');
    await signUp(page, 'typist');
    await page.getByRole('combobox', { name: 'Or enter a town' }).pressSequentially('Reykjav');
    await page.getByRole('option', { name: /^Reykjavík, Iceland/ }).click();
    await page.getByRole('button', { name: 'Show three challenges' }).click();
    await page.getByRole('listitem').filter({ hasText: 'in Reykjavík' }).nth(2).waitFor();
    await page.goto('/profile#update-title');
    const field = (name: string) => page.locator(`[name="${name}"]`);
    await eventually(async () => expect(await field('city').inputValue()).toBe('Reykjavík'));
    // The profile suggests towns, too, and fills in what belongs to one.
    await field('city').fill('');
    await field('city').pressSequentially('Flushin');
    await page
      .getByRole('option', { name: /^Flushing/ })
      .first()
      .click();
    await eventually(async () => expect(await field('city').inputValue()).toBe('Flushing'));
    expect(await field('state').inputValue()).toBe('NY');
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.getByRole('main').getByText('Flushing, NY').first().waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('shows the welcome pages to a user whose account Google sign-in has just created, not to an existing one', async () => {
    const { token } = await newUser(site.network, 'googler');
    const signInWithGoogle = async (result: string) => {
      const visitor = await visit();
      await visitor.page.route('**/auth/code', (route) => route.fulfill({ json: { token } }));
      await visitor.page.goto(`/login#${result}`);
      return visitor;
    };
    const created = await signInWithGoogle('code=once&new=1');
    await created.page.getByText('Where do you want to explore?').waitFor();
    const existing = await signInWithGoogle('code=later');
    await existing.page.getByRole('region', { name: 'In progress' }).waitFor();
    expect(await existing.page.getByText('Where do you want to explore?').count()).toBe(0);
    expect([...created.consoleErrors, ...existing.consoleErrors]).toEqual([]);
  });

  it('loads the own rank once per leaderboard, whichever pages are opened', async () => {
    const { page, consoleErrors } = await visit(maya);
    const requests: string[] = [];
    await page.route('**/api/leaderboard?*', (route) => {
      const { search, searchParams } = new URL(route.request().url());
      requests.push(search);
      const at = Number(searchParams.get('page') ?? 2);
      // The first user of a page is also shown the last one of the previous page.
      const id = searchParams.get('page') === '1' ? maya.me.id + 1_000 : maya.me.id;
      const row = { ...maya.me, id, rank: at, points: 0, username: `reader of ${at}` };
      return route.fulfill({ json: { podium: [], rows: [row], page: at, pages: 3, total: 3 } });
    });
    await page.goto('/leaderboard');
    await page.getByText('You: rank 2').waitFor();
    for (const at of [2, 3]) {
      await page.getByRole('link', { name: `Page ${at}`, exact: true }).click();
      await page.getByRole('row', { name: `reader of ${at}` }).waitFor();
    }
    expect(requests.filter((search) => search.includes('around=me'))).toHaveLength(1);
    await page.goto('/leaderboard?period=month');
    await page.getByText('You: rank 2').waitFor();
    expect(requests.filter((search) => search.includes('around=me'))).toHaveLength(2);
    expect(consoleErrors).toEqual([]);
  });

  it('saves the town that a new user enters, does not ask again after they opened a challenge, and sorts by distance from it', async () => {
    const { page, consoleErrors } = await visit();
    await page.goto('/signup');
    await signUp(page, 'townsman');
    await page.getByRole('button', { name: 'Use my location' }).click();
    const blocked = page.getByText('Location access is blocked. Enter a town instead.');
    await blocked.waitFor();
    const town = page.getByRole('combobox', { name: 'Or enter a town' });
    await town.fill('Flushing');
    // The suggestions cover the button while they are open.
    await page.getByRole('option', { name: /^Flushing, NY/ }).waitFor();
    await town.press('Escape');
    await page.getByRole('button', { name: 'Explore this town' }).click();
    await page.getByRole('button', { name: 'Show three challenges' }).waitFor();
    await blocked.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show three challenges' }).click();
    await page.getByRole('region', { name: 'Three to get you started' }).getByRole('link').first().click();
    // The address changes before the home page, which has buttons to join too, is replaced.
    await page.getByRole('button', { name: 'Share' }).waitFor();
    await page.getByRole('button', { name: 'Join Challenge!' }).waitFor();
    await page.goBack();
    await page.getByRole('region', { name: 'In progress' }).waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'In progress' }).waitFor();
    expect(await page.getByRole('region', { name: 'Three to get you started' }).count()).toBe(0);
    await page.goto('/profile#update-title');
    await eventually(async () => expect(await page.locator('[name="city"]').inputValue()).toBe('Flushing'));

    // Distances are measured from the town's position; its name is not searched for.
    await newChallenge(stranger, { name: 'Nearer', position: { lat: 40.755, lng: -73.825 } });
    await newChallenge(stranger, { name: 'Farther', position: { lat: 40.735, lng: -73.84 } });
    const searches: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.startsWith('/api/challenges/')) searches.push(searchParams.get('search') ?? '');
    });
    await page.goto('/home');
    await page.getByRole('region', { name: 'Near you' }).getByText(/\smi$/).first().waitFor();
    await page.goto('/challenges');
    await page.getByText('mi away').first().waitFor();
    expect(await page.getByLabel('Sort by').inputValue()).toBe('nearest');
    await page.goto('/explore');
    await page.waitForURL(/at=40\.7\d*%2C-73\.8\d*&zoom=12/);
    await page.getByText('Nearest first', { exact: true }).waitFor();
    const rows = page.getByRole('list', { name: 'Challenges on the map' }).getByRole('button');
    const distances = (await rows.allTextContents()).map((text) => Number(/([\d.]+)\smi/.exec(text)?.[1]));
    expect(distances.length).toBeGreaterThan(1);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    expect(searches.filter(Boolean)).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  it.each([
    ['Berlin', { latitude: 52.521, longitude: 13.411 }],
    ['São Paulo', { latitude: -23.549, longitude: -46.636 }],
  ])('leads a new user in %s to a challenge in this town in three taps', async (city, position) => {
    const { page, consoleErrors } = await visit();
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation(position);
    await page.goto('/signup');
    await signUp(page, city === 'Berlin' ? 'berlinerin' : 'paulistano');
    const suggested = page.getByRole('region', { name: 'Three to get you started' });
    for (const tap of [
      page.getByRole('button', { name: 'Use my location', exact: true }),
      page.getByRole('button', { name: 'Show three challenges', exact: true }),
      suggested.getByRole('button', { name: 'Join Challenge!' }).first(),
    ])
      await tap.click();
    await page.getByRole('button', { name: 'Mark as Complete' }).waitFor();
    await page.getByText(`Anywhere in ${city} counts.`).waitFor();
    expect(await page.locator('h1').textContent()).toContain(city);
    expect(consoleErrors).toEqual([]);
  });
});
