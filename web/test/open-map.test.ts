import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  startNetwork,
  type TestBrowser,
  type TestUser,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { signUp } from './support/sign-up.ts';

const webDirectory = fileURLToPath(new URL('../dist', import.meta.url));
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const list = (page: Page) => page.getByRole('list', { name: 'Challenges on the map' });
const map = (page: Page) => page.locator('.leaflet-container');

/** The token of somebody who logged in before. */
const logIn = (page: Page, { token }: TestUser) =>
  page.addInitScript((value) => localStorage.setItem('token', value), token);

/** Fills what the form needs; its last day is far off. */
const fillForm = async (page: Page, name: string) => {
  await field(page, 'name').fill(name);
  await field(page, 'startDate').fill('2026-01-01');
  await field(page, 'endDate').fill('2099-12-31');
  await field(page, 'difficulty').selectOption('Hard');
};

(await describeWith('chromium'))('the open map, without a network', () => {
  let network: Network;
  let browser: TestBrowser;
  let maker: TestUser;

  /** A page whose every call beyond this machine fails at once, as where there is no network. */
  const visit = async (
    path: string,
    { as, ...options }: ({ as?: TestUser } & typeof phone) | { as?: TestUser } = {},
  ) => {
    const visitor = await browser.visitor(options);
    await visitor.page.route(/^https:\/\//, (route) => route.abort('internetdisconnected'));
    if (as) await logIn(visitor.page, as);
    await visitor.page.goto(path);
    return visitor;
  };

  beforeAll(async () => {
    if (!existsSync(webDirectory)) throw new Error('the web app is not built: make build');
    network = await startNetwork({ webDirectory, places: { readAhead: true } });
    browser = await openBrowser(network.url);
    maker = await newUser(network);
    await newChallenge(maker, { name: 'Find the carousel', position: { lat: 40.7466, lng: -73.8517 } });
    await newChallenge(maker, {
      name: 'Count the planes',
      difficulty: 'Medium',
      position: { lat: 40.7796, lng: -73.8153 },
      startDate: '2020-01-01',
      endDate: '2020-12-31',
    });
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  it('draws land and water itself, in a map of 90vw by 90vh, and complains of nothing but the missing tiles', async () => {
    const { page, complaints } = await visit('/');
    await page.getByRole('link', { name: 'Start Exploring' }).click();
    await page.getByRole('heading', { name: 'Explore Map: Find and create challenges near you.' }).waitFor();
    await eventually(async () => {
      const found = await page.locator('canvas.leaflet-tile-loaded').evaluateAll((tiles) =>
        tiles.map((tile) => {
          if (!(tile instanceof HTMLCanvasElement)) return 0;
          const copy = document.createElement('canvas').getContext('2d');
          copy?.drawImage(tile, 0, 0);
          const { data = [] } = copy?.getImageData(0, 0, 256, 150) ?? {};
          const seen = new Set<string>();
          for (let at = 0; at < data.length; at += 400) seen.add(data.slice(at, at + 3).join());
          return seen.size;
        }),
      );
      expect(Math.max(...found)).toBeGreaterThan(1);
    });
    const box = await map(page).boundingBox();
    expect([box?.width, box?.height].map((side) => Math.round(side ?? 0))).toEqual([1152, 810]);
    await page.getByText('Natural Earth').waitFor();
    await page.getByText('Whitestone', { exact: true }).waitFor();
    expect(complaints).toEqual([expect.stringContaining('ERR_INTERNET_DISCONNECTED')]);
  });

  it('is drawn in other colours when the page turns dark', async () => {
    const { page } = await visit('/explore');
    /** How much red is in the corner of the darkest tile. */
    const darkest = () =>
      page.locator('canvas.leaflet-tile-loaded').evaluateAll((tiles) => {
        const pen = document.createElement('canvas').getContext('2d');
        const reds = tiles.map((tile) => {
          if (tile instanceof HTMLCanvasElement) pen?.drawImage(tile, 0, 0);
          return pen?.getImageData(1, 1, 1, 1).data[0] ?? 0;
        });
        return Math.min(...reds);
      });
    const isBetween = (least: number, most: number) =>
      eventually(async () => {
        const red = await darkest();
        expect(red).toBeGreaterThan(least);
        expect(red).toBeLessThan(most);
      });
    await isBetween(100, 256);
    await button(page, 'Use the dark theme').click();
    await isBetween(20, 50);
  });

  it('a click makes a challenge there, which map and list show; a visitor joins it after signing up', async () => {
    const { page } = await visit('/explore', { as: maker });
    await list(page).getByText('Find the carousel').waitFor();
    await map(page).click({ position: { x: 800, y: 520 } });
    const window = page.getByRole('dialog', { name: 'Create a Challenge' });
    await window.getByText(/NY 11\d{3}/).waitFor();
    const create = button(page, 'Create Challenge');
    expect(await create.isDisabled()).toBe(true);
    await fillForm(page, 'Hear the frogs');
    await create.click();

    // Its own window opens, its maker is in it, and pin and list show it.
    const made = page.getByRole('dialog', { name: 'Hear the frogs' });
    await made.getByText("You're in.").waitFor();
    await made.getByText('Ongoing').waitFor();
    await list(page).getByText('Hear the frogs').waitFor();
    await button(page, 'Hear the frogs, Hard').waitFor();
    const address = new URL(page.url());

    const [challenge] = await network
      .client()
      .listChallenges({ query: { scope: 'all', search: 'Hear the frogs' } });
    expect(challenge).toMatchObject({
      points: 30,
      difficulty: 'Hard',
      state: 'NY',
      city: expect.stringMatching(/./),
      zip: expect.stringMatching(/^11/),
      position: { lat: expect.closeTo(40.7, 0), lng: expect.closeTo(-73.8, 0) },
    });

    const bob = await visit(address.pathname + address.search, phone);
    const theirs = bob.page.getByRole('dialog', { name: 'Hear the frogs' });
    await theirs.getByRole('button', { name: 'Join Challenge!' }).click();
    await bob.page.waitForURL('**/signup');
    await signUp(bob.page, 'bob-on-the-map');
    await bob.page.waitForURL(`**${address.pathname}?*challenge=${challenge?.id}*`);
    await theirs.getByRole('button', { name: 'Join Challenge!' }).click();
    await theirs.getByText("You're in.").waitFor();
    await eventually(async () => {
      const lines = await network.client().listLines({ query: { challengeId: challenge?.id } });
      expect(lines.map(({ user }) => user.username)).toContain('bob-on-the-map');
    });
  });

  it("keeps a visitor's spot and what they wrote while they make an account", async () => {
    const { page } = await visit('/explore');
    await map(page).click({ position: { x: 700, y: 500 } });
    await page.getByRole('dialog', { name: 'Create a Challenge' }).waitFor();
    await fillForm(page, 'Read a plaque aloud');
    await button(page, 'Create Challenge').click();
    await page.waitForURL('**/signup');
    await signUp(page, 'cleo-on-the-map');
    await page.waitForURL('**/explore?*spot=*');
    await page
      .getByRole('dialog', { name: 'Create a Challenge' })
      .getByText(/NY 11\d{3}/)
      .waitFor();
    expect(await field(page, 'name').inputValue()).toBe('Read a plaque aloud');
    await button(page, 'Create Challenge').click();
    await page.getByRole('dialog', { name: 'Read a plaque aloud' }).waitFor();
    const [made] = await network
      .client()
      .listChallenges({ query: { scope: 'all', search: 'Read a plaque aloud' } });
    expect(made).toMatchObject({ city: expect.stringMatching(/./), zip: expect.stringMatching(/^11/) });
  });

  it("keeps a visitor's place while they make an account", async () => {
    const { page } = await visit('/explore?at=40.7459,-73.8467&zoom=15&type=museum');
    await page
      .locator('.leaflet-marker-pane')
      .getByRole('button', { name: /^Queens Museum/ })
      .click();
    await fillForm(page, 'Find your street in the model');
    await button(page, 'Create Challenge').click();
    await page.waitForURL('**/signup');
    await signUp(page, 'dora-on-the-map');
    await page.getByRole('dialog', { name: 'Queens Museum' }).waitFor();
    await button(page, 'Create Challenge').click();
    await page.getByRole('dialog', { name: 'Find your street in the model' }).waitFor();
    const [made] = await network
      .client()
      .listChallenges({ query: { scope: 'all', search: 'street in the model' } });
    expect(made).toMatchObject({ locationName: 'Queens Museum', city: 'Corona', zip: '11368' });
  });

  it('sets a spot as the middle of the map', async () => {
    const { page } = await visit('/explore');
    await map(page).click({ position: { x: 900, y: 640 } });
    await button(page, 'Set as Map Center').click();
    // Its window may need room above it.
    await page.waitForURL((url) => {
      const [at, spot] = ['at', 'spot'].map((name) => Number(url.searchParams.get(name)?.split(',')[1]));
      return !!at && !!spot && Math.abs(at - spot) < 0.001;
    });
  });

  it("shows everything to a visitor who follows a member's link, and says when a challenge is gone", async () => {
    const { page } = await visit('/explore?joined=1&challenge=999999');
    await page.getByText('That challenge does not exist any more.').waitFor();
    await list(page).getByText('Find the carousel').waitFor();
    await page.waitForURL((url) => !url.searchParams.has('challenge'));
  });

  it('takes clusters apart that are chosen', async () => {
    const { page } = await visit('/explore?zoom=6');
    await button(page, /challenges here\. Zoom in/)
      .first()
      .press('Enter');
    await page.waitForURL((url) => Number(url.searchParams.get('zoom')) > 6);
  });

  it('shows both sides of the date line, also where it is moved across, and opens windows there', async () => {
    const sides = { 'Greet the last day': 179.8, 'Greet the first day': -179.8 };
    for (const [name, lng] of Object.entries(sides))
      await newChallenge(maker, { name, position: { lat: -16.8, lng } });
    const { page } = await visit('/explore?at=-16.8,179.9&zoom=9');
    const pin = (name: string) => page.locator('.leaflet-marker-pane').getByRole('button', { name });
    /** Where it stands, in pixels from the left edge of the map. */
    const across = async (name: string) => {
      const [frame, box] = await Promise.all([map(page).boundingBox(), pin(name).boundingBox()]);
      return frame && box ? box.x + box.width / 2 - frame.x : Number.NaN;
    };
    /** A degree is 364 pixels wide. */
    const standAt = (last: number) =>
      eventually(async () => {
        expect(await across('Greet the last day')).toBeCloseTo(last, -1);
        expect(await across('Greet the first day')).toBeCloseTo(last + 0.4 * 364, -1);
      });
    await standAt(576 - 0.1 * 364);
    await page.getByText('2 challenges here').waitFor();

    await map(page).focus();
    for (let step = 0; step < 2; step += 1) {
      const before = page.url();
      await page.keyboard.press('ArrowRight');
      await page.waitForURL((url) => url.href !== before);
    }
    await standAt(576 - 0.1 * 364 - 160);
    await page.waitForURL(/at=-16\.\d+%2C-179\.6/);
    await page.reload();
    await standAt(576 - 0.1 * 364 - 160);
    await page.getByText('2 challenges here').waitFor();
    await pin('Greet the last day').press('Enter');
    await page.getByRole('dialog', { name: 'Greet the last day' }).getByText('Ongoing').waitFor();
    const window = await page.getByRole('dialog', { name: 'Greet the last day' }).boundingBox();
    expect(window?.x).toBeGreaterThan(0);
    expect(window?.x).toBeLessThan(1152);
  });

  it('shows tiles where there are some, with their credit, and stands above the list on a phone', async () => {
    const { page } = await browser.visitor(phone);
    const tile = await page.context().newPage();
    const body = await tile.screenshot({ clip: { x: 0, y: 0, width: 256, height: 256 } });
    await tile.close();
    await page.route('https://tile.openstreetmap.org/**', (route) =>
      route.fulfill({ contentType: 'image/png', body }),
    );
    await page.goto('/explore');
    await page.locator('img.leaflet-tile-loaded').first().waitFor();
    await page.getByRole('link', { name: 'OpenStreetMap' }).waitFor();
    expect(await page.locator('canvas.leaflet-tile').count()).toBe(0);
    await list(page).waitFor();
    const [above, below] = await Promise.all([map(page).boundingBox(), list(page).boundingBox()]);
    expect(above && below && above.y + above.height <= below.y).toBe(true);
    await page.getByRole('link', { name: 'Show the list' }).click();
    await eventually(async () => expect((await list(page).boundingBox())?.y).toBeLessThan(400));
  });

  it('narrows list and map alike, says so in the address bar, and shows the same to who opens that address', async () => {
    const { page } = await visit('/explore');
    await list(page).getByText('Count the planes').waitFor();
    await button(page, /^Open now$/).click();
    await list(page).getByText('Count the planes').waitFor({ state: 'detached' });
    await page.locator('fieldset [name="difficulty"]').selectOption('Easy');
    await page.getByLabel('Name, place or city').fill('carousel');
    await page.getByText('1 challenge here').waitFor();
    await list(page).getByText('Find the carousel').waitFor();
    await page.waitForURL(/difficulty=Easy.*open=1.*search=carousel/);

    const other = await visit(new URL(page.url()).search.replace(/^/, '/explore'));
    await list(other.page).getByText('Find the carousel').waitFor();
    await other.page.getByText('1 challenge here').waitFor();
    expect(await other.page.getByLabel('Name, place or city').inputValue()).toBe('carousel');
  });

  it('goes to what was searched, shows the places of a type, and opens their windows by keyboard', async () => {
    const { page } = await visit('/explore');
    await page.getByPlaceholder('Enter an address').fill('queens museum');
    await page.getByRole('option', { name: /Queens Museum/ }).click();
    await page.getByRole('dialog', { name: 'Queens Museum' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Show Locations by Type').selectOption('museum');
    const pin = page.locator('.leaflet-marker-pane').getByRole('button', { name: 'Queens Museum' });
    await pin.focus();
    await page.keyboard.press('Enter');
    const window = page.getByRole('dialog', { name: 'Queens Museum' });
    await window
      .getByText(/Corona|Flushing/)
      .first()
      .waitFor();
    await fillForm(page, 'Find your street in the panorama');
    expect(await button(page, 'Create Challenge').isEnabled()).toBe(true);
  });

  it('opens a challenge from the list by keyboard, and tells when its days are over', async () => {
    const { page } = await visit('/explore');
    await list(page)
      .getByRole('button', { name: /Count the planes/ })
      .press('Enter');
    const window = page.getByRole('dialog', { name: 'Count the planes' });
    await window.getByText('Completed').waitFor();
    await window.getByText('January 1 2020 – December 31 2020').waitFor();
    await window.getByRole('link', { name: 'Look at the challenge' }).click();
    await page.getByRole('heading', { name: 'Count the planes' }).waitFor();
  });

  it('brings the whole of a window into sight, beside the list and on a phone', async () => {
    for (const [device, covered] of [
      [undefined, 352],
      [phone, 0],
    ] as const) {
      const { page } = await visit('/explore', device);
      await list(page).waitFor();
      const isInSight = (name: string) =>
        eventually(async () => {
          const [frame, box] = await Promise.all([
            map(page).boundingBox(),
            page.getByRole('dialog', { name }).boundingBox(),
          ]);
          if (!frame || !box) throw new Error('there is no window');
          expect(box.x).toBeGreaterThan(frame.x + covered);
          expect(box.x + box.width).toBeLessThan(frame.x + frame.width);
          expect(box.y).toBeGreaterThan(frame.y);
          expect(box.y + box.height).toBeLessThan(frame.y + frame.height);
        });
      await list(page)
        .getByRole('button', { name: /Find the carousel/ })
        .click();
      await isInSight('Find the carousel');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await map(page).click({ position: { x: covered + 30, y: 150 } });
      await page
        .getByRole('dialog')
        .getByText(/, N[YJ]/)
        .waitFor();
      await isInSight('Create a Challenge');
    }
  });

  it('takes the first that is found at Enter, also when it comes later, and says when there is none', async () => {
    const { page } = await visit('/explore');
    const box = page.getByPlaceholder('Enter an address');
    await box.fill('asdfqw');
    await page.getByText('Nothing is called so.').waitFor();
    await box.fill('queens museum');
    await box.press('Enter');
    await page.getByRole('dialog', { name: 'Queens Museum' }).waitFor();
    await box.fill('Bayside');
    await page
      .getByRole('option', { name: /Bayside/ })
      .first()
      .waitFor();
    await box.press('Enter');
    await page.getByRole('dialog', { name: 'Queens Museum' }).waitFor({ state: 'detached' });
    await page
      .getByRole('dialog')
      .getByText(/Bayside/)
      .first()
      .waitFor();
  });

  it('closes a window at Escape wherever the focus is, and loses the focus nowhere', async () => {
    const { page } = await visit('/explore', { as: maker });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const bob = await newUser(network);
    const { id } = await newChallenge(bob, {
      name: 'Ring the bell',
      position: { lat: 40.75, lng: -73.8 },
    });
    await page.goto(`/explore?challenge=${id}`);
    const window = page.getByRole('dialog', { name: 'Ring the bell' });
    await window.getByRole('button', { name: 'Join Challenge!' }).press('Enter');
    await window.getByText("You're in.").waitFor();
    expect(await focused()).toBe("You're in.");
    await page.getByRole('button', { name: 'Zoom in', exact: true }).focus();
    await page.keyboard.press('Escape');
    await window.waitFor({ state: 'detached' });

    await page.goto('/explore?zoom=6');
    await button(page, /challenges here\. Zoom in/)
      .first()
      .press('Enter');
    await page.waitForURL((url) => Number(url.searchParams.get('zoom')) > 6);
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('leaflet-container');
  });

  it('says that filters leave nothing, and takes them away', async () => {
    const { page } = await visit('/explore?search=zzzz&open=1');
    await page.getByText('No challenge here matches.').waitFor();
    await button(page, 'Clear the filters').click();
    await list(page).getByText('Count the planes').waitFor();
    expect(await page.getByLabel('Name, place or city').inputValue()).toBe('');
  });

  it('offers to search where a person moved the map', async () => {
    const { page } = await visit('/explore');
    await list(page).waitFor();
    for (let drag = 0; drag < 2; drag += 1) {
      await page.mouse.move(1100, 600);
      await page.mouse.down();
      await page.mouse.move(300, 500, { steps: 5 });
      await page.mouse.up();
    }
    // It slides on for a while.
    await page.waitForURL(/at=[\d.]+%2C-7(3\.[0-4]|[0-2]\.)/);
    await button(page, 'Search this area').click();
    await page.getByText('No challenge here yet.').waitFor();
    await button(page, 'Search this area').waitFor({ state: 'detached' });
  });

  it("asks for a person's position when they press for it, and goes there", async () => {
    const asked = await visit('/explore');
    await list(asked.page).waitFor();
    await button(asked.page, 'Near me').click();
    await asked.page.getByText('Your browser keeps your position to itself.').waitFor();

    const given = await visit('/explore');
    await given.page.context().grantPermissions(['geolocation']);
    await given.page.context().setGeolocation({ latitude: 40.7466, longitude: -73.8517 });
    await button(given.page, 'Near me').click();
    await given.page.waitForURL(/at=40\.74\d*%2C-73\.85\d*&zoom=15/);
  });

  it('tells the status of an address that cannot be found, and asks for it instead', async () => {
    const { page } = await visit('/explore', { as: maker });
    await page.route('**/api/places/reverse*', (route) => route.fulfill({ status: 503, body: 'resting' }));
    await map(page).click({ position: { x: 1000, y: 600 } });
    await page.getByRole('alert').filter({ hasText: '503' }).waitFor();
    await fillForm(page, 'Look up');
    await field(page, 'city').fill('Flushing');
    await field(page, 'state').fill('NY');
    await button(page, 'Create Challenge').click();
    await page.getByRole('dialog', { name: 'Look up' }).waitFor();
    const [challenge] = await network.client().listChallenges({ query: { scope: 'all', search: 'Look up' } });
    expect(challenge).toMatchObject({ city: 'Flushing', state: 'NY' });
  });

  it('says that the map is on its way, and when it could not come', async () => {
    const visitor = await browser.visitor();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await visitor.page.route('**/api/settings', async (route) => {
      await held;
      await route.fulfill({ status: 503, body: '' });
    });
    await visitor.page.goto('/explore');
    await visitor.page.getByText('loading maps').waitFor();
    answer();
    await visitor.page.getByText('Error loading maps').waitFor();
    await visitor.page.unroute('**/api/settings');
    await button(visitor.page, 'Try again').click();
    await map(visitor.page).waitFor();
  });
});
