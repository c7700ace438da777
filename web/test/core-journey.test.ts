import { randomBytes } from 'node:crypto';
import { createClient, localDate } from '@wayquest/contracts';
import {
  describeWith,
  eventually,
  type Network,
  openBrowser,
  type TestBrowser,
  testPassword,
} from '@wayquest/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { challenge, participation } from './support/fixtures.ts';
import { signUp } from './support/sign-up.ts';
import { startSite } from './support/start-site.ts';

/** The core journey in browsers; against WAYQUEST_URL if that is set, for example that of the containers. */

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A gray square of 64 pixels. */
const picture = {
  name: 'me.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAAA1BMVEWIiIhYZW6zAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQokWNgGAWjgHwAAAJAAAFgVTVqAAAAAElFTkSuQmCC',
    'base64',
  ),
};

/** Runs in the page: returns a JPEG of noise, which compresses badly, as base64. */
async function drawPhoto(): Promise<string> {
  const canvas = new OffscreenCanvas(2_400, 1_800);
  const context = canvas.getContext('2d');
  const image = context?.createImageData(canvas.width, canvas.height);
  if (!context || !image) throw new Error('this browser has no canvas context');
  const pixels = new Uint32Array(image.data.buffer);
  // Reproducible noise from a linear congruential generator.
  for (let at = 0, noise = 1; at < pixels.length; at++) {
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0;
    pixels[at] = 0xff000000 | (noise >>> 8);
  }
  context.putImageData(image, 0, 0);
  const file = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

(await describeWith('chromium'))('the core journey in a browser', () => {
  let network: Network | undefined;
  let browser: TestBrowser;
  let url: string;
  const suffix = randomBytes(3).toString('hex');

  beforeAll(async () => {
    const address = process.env.WAYQUEST_URL;
    // Loading the gazetteer blocks the process for a while, so it is loaded before the tests.
    network = address ? undefined : await startSite({ places: { preload: true } });
    url = address ?? network?.url ?? '';
    browser = await openBrowser(url);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  /** Signs up a new user without the form, which takes another page. */
  const signUpByCall = async (name: string) => {
    const body = { username: `${name}-${suffix}`, password: testPassword };
    return (await createClient({ baseUrl: url }).signup({ body })).token;
  };
  /** Opens a browser context in which a new user is logged in. */
  const visitAsNewUser = async (name: string, options: BrowserContextOptions = {}) => {
    const token = await signUpByCall(name);
    return { ...(await browser.visitor({ ...options, token })), token };
  };

  it('a user signs up and creates a challenge; another one joins it on a phone, completes it and sees the points', async () => {
    const ann = await browser.visitor();
    await ann.page.goto('/');
    await ann.page.getByRole('link', { name: 'Create an Account' }).click();
    await ann.page.waitForURL('**/signup');
    await signUp(ann.page, `ann-${suffix}`);
    await ann.page.getByRole('link', { name: 'Users', exact: true }).waitFor();

    await ann.page.goto('/challenges');
    await ann.page.getByRole('link', { name: 'Add a Challenge' }).click();
    const create = button(ann.page, 'Create New Challenge!');
    const name = `Find the oldest tree ${suffix}`;
    const requiredFields = {
      name,
      points: '25',
      locationName: 'Kissena Park',
      streetAddress: '164-15 Booth Memorial Ave',
      city: 'Flushing',
      state: 'NY',
    };
    for (const [key, value] of Object.entries(requiredFields)) {
      expect(await create.isDisabled()).toBe(true);
      await field(ann.page, key).fill(value);
    }
    expect(await create.isDisabled()).toBe(true);
    await field(ann.page, 'difficulty').selectOption('Medium');
    await create.click();
    // Its page opens, where it can be shared; its creator has joined it.
    await ann.page.waitForURL(/\/challenges\/\d+$/);
    await ann.page.getByRole('heading', { level: 1, name }).waitFor();
    await ann.page.getByText('Your challenge is live.').waitFor();
    await button(ann.page, 'Share').waitFor();
    await button(ann.page, 'Mark as Complete').waitFor();
    await ann.page.goto('/challenges');
    await ann.page
      .getByRole('region', { name: 'Your Challenges' })
      .getByRole('link', { name: new RegExp(name) })
      .waitFor();

    const bob = await browser.visitor(phone);
    await bob.page.goto('/challenges');
    await bob.page
      .getByRole('link', { name: new RegExp(name) })
      .first()
      .click();
    const join = button(bob.page, 'Join Challenge!');
    await join.waitFor();
    // It is above the navigation bar, whatever the length of the text above it.
    await eventually(async () => {
      const [at, bar] = [
        await join.boundingBox(),
        await bob.page.getByRole('navigation').last().boundingBox(),
      ];
      expect((at?.y ?? 0) + (at?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
      expect(bar?.y).toBeLessThan(phone.viewport.height);
    });
    await join.click();
    await bob.page.waitForURL('**/signup');
    await signUp(bob.page, `bob-${suffix}`);
    // The visitor has joined after signing up.
    await bob.page.waitForURL(/\/challenges\/\d+$/);
    await bob.page
      .getByRole('link', { name: new RegExp(`bob-${suffix}`) })
      .first()
      .waitFor();
    await bob.page.getByText('2 participants', { exact: true }).waitFor();
    await button(bob.page, 'Mark as Complete').click();

    await bob.page.waitForURL(/\/profile\/?$/i);
    await bob.page.getByText('25 Points', { exact: true }).waitFor();
    await bob.page.goto('/leaderboard');
    await bob.page
      .getByRole('row')
      .filter({ hasText: `bob-${suffix}` })
      .filter({ hasText: '25' })
      .waitFor();
    await bob.page.getByRole('combobox', { name: 'Filter by:' }).waitFor();

    expect([...ann.consoleErrors, ...bob.consoleErrors]).toEqual([]);
  });

  it('a creator edits, closes and deletes a challenge; others cannot edit it, and see changes live', async () => {
    const { page, consoleErrors, token } = await visitAsNewUser('mia');
    const name = `Count the herons ${suffix}`;
    const api = createClient({ baseUrl: url });
    const { id } = await api.createChallenge({ body: { name, difficulty: 'Easy' } }, { token });

    await page.goto(`/challenges/${id}`);
    await page.getByRole('link', { name: 'Edit Challenge' }).click();
    const save = button(page, 'Save changes');
    expect(await save.isDisabled()).toBe(true);
    expect(await field(page, 'locationName').count()).toBe(0);
    await field(page, 'name').fill(`Count the geese ${suffix}`);
    await page.getByLabel('Description').fill('All of them.');
    await save.click();
    await page.getByText('Changes saved.').waitFor();
    await page.getByRole('heading', { name: `Count the geese ${suffix}` }).waitFor();
    await page.getByText('All of them.').waitFor();

    const other = await visitAsNewUser('leo');
    await other.page.goto(`/challenges/${id}/edit`);
    await other.page.waitForURL(new RegExp(`/challenges/${id}$`));
    await button(other.page, 'Join Challenge!').click();
    const complete = button(other.page, 'Mark as Complete');
    await eventually(() => complete.isEnabled());

    const updateNotice = other.page.getByText('The creator just updated this challenge.');
    expect(await updateNotice.count()).toBe(0);
    // The empty notice takes no space.
    const place = other.page.locator('[role="status"]:has(+ p:text("Created by"))');
    expect(await place.evaluate((element) => element.getBoundingClientRect().height)).toBe(0);
    // With a participant, it can only be closed (53, finding 40).
    await eventually(async () =>
      expect((await api.getChallenge({ params: { id } }, { token })).can?.delete).toBe(false),
    );
    await page.goto(`/challenges/${id}/edit`);
    await button(page, 'Close Challenge').waitFor();
    expect(await button(page, 'Delete my challenge').count()).toBe(0);
    // The form stands in the middle (53, finding 41).
    const form = await page.getByRole('form').boundingBox();
    const width = page.viewportSize()?.width ?? Number.NaN;
    expect(Math.abs((form?.x ?? 0) + (form?.width ?? 0) / 2 - width / 2)).toBeLessThan(10);
    await button(page, 'Close Challenge').click();
    await page.getByText('Challenge closed.').waitFor();
    await page.getByText(/^Ended on/).waitFor();
    // A participant who has the page open can no longer complete it.
    await other.page.getByText(/^Ended on/).waitFor();
    await eventually(() => complete.isDisabled());
    await updateNotice.waitFor();
    await button(other.page, 'Leave Challenge').click();
    await complete.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Edit Challenge' }).click();
    await button(page, 'Delete my challenge').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Challenge deleted.').waitFor();
    await page.waitForURL(/\/challenges$/);
    // The other page knows of the deletion without a call, which would be a 404 in its console.
    await other.page.getByRole('heading', { level: 1, name: 'Challenge not found' }).waitFor();
    expect([...consoleErrors, ...other.consoleErrors]).toEqual([]);
  });

  it('links to own challenges and the form above a long list, and restores the position in the list', async () => {
    const { page, consoleErrors } = await visitAsNewUser('lea', { reducedMotion: 'no-preference' });
    const all = Array.from({ length: 90 }, (_, at) => ({ ...challenge, id: 990 - at, name: `Walk ${at}` }));
    await page.route('**/api/challenges/?*scope=all*', (route) => {
      const query = new URL(route.request().url()).searchParams;
      const from = Number(query.get('cursor') ?? 0);
      const to = from + Number(query.get('limit'));
      const headers = { link: `</api/challenges/?cursor=${to}>; rel="next"` };
      return route.fulfill({ json: all.slice(from, to), ...(to < all.length && { headers }) });
    });
    Object.assign(all[0] ?? {}, { startDate: '2026-05-03', endDate: '2026-05-09', timeZone: 'UTC' });
    const challengeDetails = { ...challenge, id: 930, name: 'Walk 60', participants: 741 };
    await page.route('**/api/challenges/930', (route) => route.fulfill({ json: challengeDetails }));
    const user = { ...participation.user, avatar: 'explorer-1.svg' };
    const participations = Array.from({ length: 500 }, (_, at) => ({
      ...participation,
      user,
      id: at + 1,
      challengeId: 930,
    }));
    await page.route('**/api/challengeLine/?*challengeId=930*', (route) => {
      const isOfPage = !/userId|ids/.test(route.request().url());
      return route.fulfill({ json: isOfPage ? participations : [] });
    });
    const cards = page.getByRole('list', { name: 'All Challenges' }).getByRole('article');
    const topOf = (name: string) =>
      page
        .getByRole('heading', { name, exact: true })
        .evaluate((element) => element.getBoundingClientRect().top);
    /** Waits until scrolling has stopped: a busy machine may render the same position twice on the way. */
    const waitForScrollEnd = () =>
      page.evaluate(async () => {
        let last = scrollY;
        for (let still = 0; still < 10; still = scrollY === last ? still + 1 : 0) {
          last = scrollY;
          await new Promise(requestAnimationFrame);
        }
      });

    for (const name of ['Your Challenges', 'Add a Challenge']) {
      await page.goto('/challenges');
      await cards.nth(23).waitFor();
      await page.getByRole('link', { name, exact: true }).click();
      await page.waitForFunction(() => scrollY > 60);
      await waitForScrollEnd();
      const top = await topOf(name);
      expect(top).toBeGreaterThan(60);
      expect(top).toBeLessThan(160);
      expect(await cards.count()).toBe(24);
      await page.goBack();
      await page.waitForFunction(() => scrollY < 10);
    }
    // Both sections are above the long list, and the second link has opened the form.
    await page.getByRole('link', { name: 'Add a Challenge', exact: true }).click();
    await button(page, 'Create New Challenge!').waitFor();
    // Compared at one moment, since the page may still be scrolling.
    const headings = await page
      .getByRole('heading')
      .evaluateAll((all) =>
        all
          .toSorted((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
          .map(({ textContent }) => textContent),
      );
    const sections = ['Your Challenges', 'Add a Challenge', 'Walk 0'];
    expect(headings.filter((heading) => sections.includes(heading))).toEqual(sections);

    // The dates of a challenge stand once on its card (53, finding 16).
    expect((await cards.first().textContent())?.match(/May 3|May 9/g)).toEqual(['May 3', 'May 9']);

    await page.goto('/challenges');
    for (const last of [23, 47]) {
      await cards.nth(last).waitFor();
      await cards.nth(last).scrollIntoViewIfNeeded();
    }
    await cards.nth(71).waitFor();
    await cards.nth(60).evaluate((card) => card.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await waitForScrollEnd();
    const middle = await topOf('Walk 60');
    const expectRestored = () =>
      eventually(async () => expect(Math.abs((await topOf('Walk 60')) - middle)).toBeLessThan(4));
    await page.getByRole('link', { name: 'Walk 60', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Walk 60' }).waitFor();
    // The number of all participants, not of those in the first response.
    await button(page, 'Show more (717 remaining)').waitFor();
    await page.goBack();
    await cards.nth(60).waitFor();
    await expectRestored();
    await page.reload();
    await cards.nth(60).waitFor();
    await expectRestored();

    // On a phone, cards are rows, and the form is collapsed.
    await page.setViewportSize({ width: 390, height: 844 });
    const tallest = () =>
      cards.evaluateAll((all) => Math.max(...all.map((card) => card.getBoundingClientRect().height)));
    await eventually(async () => expect(await tallest()).toBeLessThan(150));
    expect(await button(page, 'Open the form').getAttribute('aria-expanded')).toBe('false');
    expect(await button(page, 'Create New Challenge!').count()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });

  it('shows the error of a failed login under the form, and logs in and out', async () => {
    const { page } = await visitAsNewUser('eve');
    await page.goto('/libraries');
    await page.getByRole('button', { name: /eve-/ }).click();
    await page
      .getByRole('button', { name: 'Logout' })
      .or(page.getByRole('menuitem', { name: 'Logout' }))
      .click();
    await page.waitForURL('**/login');
    // Not the fields of the previous page's form, which may still be shown.
    const form = page.locator('form').filter({ has: button(page, 'Login') });
    await form.locator('[name="username"]').fill(`eve-${suffix}`);
    await form.locator('[name="password"]').fill('not my password');
    await button(page, 'Login').click();
    await page.getByText('That username and password do not match.').waitFor();
    await form.locator('[name="password"]').fill(testPassword);
    await button(page, 'Login').click();
    await page.getByRole('link', { name: 'Users', exact: true }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toMatch(/^ey/);
  });

  it('says what is wrong with a field in its own words, without a bubble of the browser (53, finding 38)', async () => {
    const { page, consoleErrors } = await browser.visitor();
    await page.goto('/signup');
    const submit = button(page, 'Sign Up').last();
    await submit.waitFor();
    await page.evaluate(() => {
      // Runs after the app's own listener.
      const check = (event: Event) => event.defaultPrevented || console.error('a bubble');
      for (const each of document.querySelectorAll('input')) each.addEventListener('invalid', check);
    });
    await submit.click();
    expect(await page.getByText('Please fill this in.').count()).toBe(2);
    await eventually(() => field(page, 'username').evaluate((element) => element === document.activeElement));
    await field(page, 'username').fill('una');
    await eventually(async () => expect(await page.getByText('Please fill this in.').count()).toBe(1));
    expect(consoleErrors).toEqual([]);

    const member = await openFormAsNewUser('uno');
    const values = {
      ...{ name: 'A', points: '1.5', locationName: 'B', streetAddress: 'C' },
      city: 'D',
      state: 'E',
    };
    for (const [name, value] of Object.entries(values)) await field(member.page, name).fill(value);
    await field(member.page, 'difficulty').selectOption('Easy');
    await button(member.page, 'Create New Challenge!').click();
    await member.page.getByText('Enter a whole number from 1 to 100.').waitFor();
    await member.page.goto('/settings#login');
    const password = field(member.page, 'newPassword');
    await member.page.getByLabel('Current password', { exact: true }).first().fill(testPassword);
    await password.pressSequentially('short');
    await password.press('Enter');
    await member.page.getByText('Use at least 8 characters.').waitFor();
  });

  it('submits the profile, behind Edit, only if a field differs, and keeps the change (53.36)', async () => {
    const { page, consoleErrors } = await visitAsNewUser('zoe');
    await page.goto('/profile');
    const edit = button(page, 'Edit');
    const update = button(page, 'Update');
    await page.getByRole('heading', { name: 'Trail book' }).waitFor();
    expect(await update.count()).toBe(0);
    await edit.click();
    const sections = page.getByRole('main').getByRole('heading', { level: 2 });
    expect(await sections.allTextContents()).toEqual(['Update Profile Details', 'Trail book']);
    expect(await update.isDisabled()).toBe(true);
    await field(page, 'city').fill('Queens');
    await eventually(() => update.isEnabled());
    await field(page, 'city').fill('');
    await eventually(() => update.isDisabled());
    await field(page, 'city').fill('Queens');
    await field(page, 'zip').fill('07030');
    await update.click();
    await page.getByText(/Queens.*07030/).waitFor();
    await update.waitFor({ state: 'detached' });
    expect(await edit.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.reload();
    await page.getByText(/Queens.*07030/).waitFor();
    await page.locator('input[type="file"]').setInputFiles(picture);
    await page.getByText('Profile picture updated.').waitFor();
    const shown = page.getByRole('region', { name: 'Your profile' }).locator('img').first();
    const before = await shown.getAttribute('src');

    // A large photo, while a field is being edited.
    await edit.click();
    await field(page, 'city').fill('Hoboken');
    const buffer = Buffer.from(await page.evaluate(drawPhoto), 'base64');
    expect(buffer.length).toBeGreaterThan(3_000_000);
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer });
    await eventually(async () => (await shown.getAttribute('src')) !== before, { withinMs: 40_000 });
    await page.getByText('Profile picture updated.').waitFor();
    expect(await field(page, 'city').inputValue()).toBe('Hoboken');
    expect(consoleErrors).toEqual([]);

    const text = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') };
    await page.locator('input[type="file"]').setInputFiles(text);
    await page
      .getByRole('region', { name: 'Your profile' })
      .getByText('Please choose a JPEG, PNG or WebP picture.')
      .waitFor();
  });

  /** Opens the form, which is collapsed initially. */
  const openForm = async (page: Page) => {
    await page.getByRole('link', { name: 'Add a Challenge', exact: true }).click();
    await button(page, 'Create New Challenge!').waitFor();
  };
  /** Opens the form on the page of all challenges as a new user. */
  const openFormAsNewUser = async (name: string, options: BrowserContextOptions = {}) => {
    const visitor = await visitAsNewUser(name, options);
    await visitor.page.goto('/challenges');
    await openForm(visitor.page);
    return visitor;
  };
  const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '');
  const clientOf = (page: Page) => createClient({ baseUrl: new URL(page.url()).origin });

  it('joining and leaving update the count without a reload', async () => {
    const token = await signUpByCall('una');
    const { page, consoleErrors } = await openFormAsNewUser('ulf');
    const client = clientOf(page);
    const { id, name } = await client.createChallenge(
      { body: { name: `Count us ${suffix}`, difficulty: 'Easy' } },
      { token },
    );
    await client.joinChallenge({ body: { challengeId: id } }, { token });
    const count = async () => (await client.getChallenge({ params: { id } })).participants;
    await eventually(async () => expect(await count()).toBe(1));
    await page.goto('/challenges');
    const card = page
      .getByRole('list', { name: 'All Challenges' })
      .getByRole('article')
      .filter({ hasText: name });
    await card.getByText('1 participant', { exact: true }).waitFor();
    await card.getByRole('link', { name }).click();
    await button(page, 'Join Challenge!').click();
    await page.getByText('2 participants', { exact: true }).waitFor();
    await page.goBack();
    await card.getByText('2 participants', { exact: true }).waitFor();
    await card.getByRole('link', { name }).click();
    await button(page, 'Leave Challenge').click();
    await page.getByText('1 participant', { exact: true }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('a challenge has the time zone of its city, and can be joined and completed on the current date there', async () => {
    const { page, consoleErrors } = await openFormAsNewUser('kei', { timezoneId: 'Asia/Tokyo' });
    const today = localDate('Asia/Tokyo', new Date());
    const fields = {
      ...{ name: `Count the lanterns ${suffix}`, points: '10', locationName: 'Sensoji', city: 'Tokyo' },
      ...{ streetAddress: '2-3-1 Asakusa', state: 'Tokyo', startDate: today, endDate: today },
    };
    for (const [name, value] of Object.entries(fields)) await field(page, name).fill(value);
    await field(page, 'difficulty').selectOption('Easy');
    await button(page, 'Create New Challenge!').click();
    await page.waitForURL(/\/challenges\/\d+$/);
    const id = Number(page.url().split('/').at(-1));
    const timeZone = async () => (await clientOf(page).getChallenge({ params: { id } })).timeZone;
    expect(await timeZone()).toBe('Asia/Tokyo');
    await network?.settle();
    expect(await timeZone()).toBe('Asia/Tokyo');
    await button(page, 'Mark as Complete').click();
    await page.waitForURL(/\/profile\/?$/i);
    await page.getByText('10 Points', { exact: true }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('lets the bars scroll away in a low window, as at 200% zoom', async () => {
    const { page, token } = await visitAsNewUser('ben', { viewport: { width: 640, height: 400 } });
    const { id } = await createClient({ baseUrl: url }).createChallenge(
      { body: { name: `Low ${suffix}`, difficulty: 'Easy', description: 'Read on. '.repeat(200) } },
      { token },
    );
    await page.goto(`/challenges/${id}`);
    await button(page, 'Join Challenge!').waitFor();
    await page.evaluate(() => scrollTo({ top: 600, behavior: 'instant' }));
    await eventually(async () => {
      const { y = 0, height = 0 } = (await page.locator('header').boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(0);
      expect((await button(page, 'Join Challenge!').boundingBox())?.y).toBeGreaterThan(400);
    });
  });

  it('fills in the points of the difficulty until the user changes them, and the address of the selected place', async () => {
    const { page, consoleErrors } = await openFormAsNewUser('pia');
    const value = (name: string) => field(page, name).inputValue();
    for (const [difficulty, points] of [
      ['Easy', '10'],
      ['Medium', '20'],
      ['Hard', '30'],
    ] as const) {
      await field(page, 'difficulty').selectOption(difficulty);
      expect(await value('points')).toBe(points);
    }
    await field(page, 'points').fill('25');
    await field(page, 'difficulty').selectOption('Easy');
    expect(await value('points')).toBe('25');

    await page.getByRole('combobox', { name: 'Find the place' }).fill('Queens Museum');
    await page
      .getByRole('option', { name: /^Queens Museum/ })
      .first()
      .click();
    await eventually(async () => expect(await value('locationName')).toBe('Queens Museum'));
    expect(await value('city')).toBe('Corona');
    expect(await value('zip')).toBe('11368');
    expect(await value('state')).toBe('NY');
    await page.getByRole('combobox', { name: 'Find the place' }).fill('qqqqqq');
    await page.getByText('No results. Try a city, street or ZIP code.').waitFor();

    // The map shows the position; another one has another address, and changed fields are kept.
    expect(await button(page, 'Hide the map').count()).toBe(1);
    const picker = page.getByRole('region', { name: 'Place on the map' });
    await picker.scrollIntoViewIfNeeded();
    await picker.getByRole('button', { name: 'Selected location' }).waitFor();
    const checkIn = page.getByRole('checkbox', { name: 'Require a check-in' });
    await checkIn.waitFor();
    await button(page, 'Remove the pin').click();
    await picker.getByRole('button', { name: 'Selected location' }).waitFor({ state: 'detached' });
    // Nobody can be checked in at a place that is not on the map.
    await checkIn.waitFor({ state: 'detached' });
    await field(page, 'city').fill('Queens');
    const street = await value('streetAddress');
    await picker.locator('.leaflet-container').click({ position: { x: 60, y: 60 } });
    await picker.getByRole('button', { name: 'Selected location' }).waitFor();
    await eventually(async () => expect(await value('streetAddress')).toBe('Queens Museum'));
    await button(page, 'Put the pin in the center').click();
    await eventually(async () => expect(await value('streetAddress')).toBe(street));
    expect(await value('city')).toBe('Queens');
    await field(page, 'streetAddress').fill('');
    await field(page, 'locationName').fill('Behind the museum');
    await field(page, 'name').fill('Find the globe');
    expect(await value('streetAddress')).toBe('Behind the museum');
    await checkIn.check();
    await button(page, 'Create New Challenge!').click();
    await page.waitForURL('**/challenges/*');
    await page.getByRole('link', { name: 'Show on the map' }).waitFor();
    const { position, checkInRequired } = await clientOf(page).getChallenge({
      params: { id: page.url().split('/').at(-1) ?? '' },
    });
    expect(position?.lat).toBeGreaterThan(40.74);
    expect(checkInRequired).toBe(true);
    expect(consoleErrors).toEqual([]);
  });

  it('says below a disabled button what is missing, and needs no state where there is none (53, finding 4)', async () => {
    const { page, consoleErrors } = await openFormAsNewUser('isa');
    const create = button(page, 'Create New Challenge!');
    const expectMissing = (text: string) =>
      eventually(async () =>
        expect(
          await create.evaluate(
            ({ ariaDescribedByElements }) => ariaDescribedByElements?.[0]?.textContent ?? '',
          ),
        ).toBe(text),
      );
    await expectMissing(
      'Still needed: Name, Difficulty, Points, Place name, Street address (or –), City, State (or –)',
    );
    await field(page, 'name').fill('Find the sea');
    await field(page, 'difficulty').selectOption('Easy');
    await expectMissing('Still needed: Place name, Street address (or –), City, State (or –)');
    await page.getByRole('combobox', { name: 'Find the place' }).fill('Reykjavik');
    await page.getByRole('option', { name: /^Reykjavík, Iceland/ }).click();
    await expectMissing('');
    expect(await field(page, 'state').getAttribute('aria-required')).toBeNull();
    await create.click();
    await page.waitForURL('**/challenges/*');
    const created = await clientOf(page).getChallenge({
      params: { id: page.url().split('/').at(-1) ?? '' },
    });
    expect(created).toMatchObject({ city: 'Reykjavík', state: '', streetAddress: '' });

    await page.goto('/profile#update-title');
    await page.getByText('Nothing to save yet.').waitFor();
    await page.evaluate(() => localStorage.setItem('wayquest-language', 'zh'));
    await page.reload();
    await page.getByText('还没有改动。').waitFor();
    await page.getByLabel('州/省（没有可不填）').waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('explains in the filters that the browser blocks the position, and keeps the other filters', async () => {
    const { page } = await browser.visitor(phone);
    await page.goto('/challenges');
    await button(page, 'Filter and sort').click();
    const filters = page.getByRole('dialog', { name: 'Filter and sort' });
    await filters.getByLabel('Status').selectOption('Open now');
    await filters.getByLabel('Sort by').selectOption('Nearest');
    await filters.getByText('Location access is blocked. Allow it in your browser settings').waitFor();
    await filters.getByRole('button', { name: 'Show challenges' }).click();
    await filters.waitFor({ state: 'hidden' });
    await button(page, 'Filter and sort (1)').waitFor();
    await page.locator('search p').getByText('Open now', { exact: true }).waitFor();
    await page.getByText('Location access is blocked.').waitFor({ state: 'detached' });
  });

  it('unsent text survives a session that is ended elsewhere, for the same user only', async () => {
    const { page } = await openFormAsNewUser('ida');
    const client = clientOf(page);
    const credentials = (name: string) => ({ username: `${name}-${suffix}`, password: testPassword });
    await client.signup({ body: credentials('ivo') });
    const create = button(page, 'Create New Challenge!');
    const description = 'x'.repeat(840);
    const endSessionElsewhere = async () => {
      const token = await tokenOf(page);
      const sessions = await client.listSessions({}, { token });
      const { id = '' } = sessions.find(({ current }) => current) ?? {};
      await client.endSession({ params: { id } }, { token });
    };
    const logIn = async (name: string) => {
      const { token } = await client.login({ body: credentials(name) });
      await page.evaluate((value) => localStorage.setItem('token', value), token);
    };
    const expectFieldValue = async (path: string, name: string, expected: string) => {
      await page.goto(path);
      if (path === '/challenges') await openForm(page);
      await eventually(async () => expect(await field(page, name).inputValue()).toBe(expected));
    };
    await field(page, 'name').fill('A walk');
    await field(page, 'description').fill(description);
    await endSessionElsewhere();
    await create.waitFor({ state: 'detached' });
    expect(await page.getByText(description).count()).toBe(0);
    await page.getByRole('link', { name: 'Log In' }).click();
    const form = page.locator('form').filter({ has: button(page, 'Login') });
    await form.locator('[name="username"]').fill(`ida-${suffix}`);
    await form.locator('[name="password"]').fill(testPassword);
    await button(page, 'Login').click();
    await page.getByRole('link', { name: 'Users', exact: true }).waitFor();
    // A draft opens the form automatically.
    await page.goto('/challenges');
    await eventually(async () => expect(await field(page, 'description').inputValue()).toBe(description));
    expect(await field(page, 'name').inputValue()).toBe('A walk');

    // Another user of the same browser does not see the draft, and their login deletes it.
    await endSessionElsewhere();
    await create.waitFor({ state: 'detached' });
    await logIn('ivo');
    await expectFieldValue('/challenges', 'description', '');
    await field(page, 'description').fill('by ivo');
    await page.getByRole('button', { name: /'s menu/ }).click();
    await page
      .getByRole('button', { name: 'Logout' })
      .or(page.getByRole('menuitem', { name: 'Logout' }))
      .click();
    await page.waitForURL('**/login');
    await logIn('ivo');
    await expectFieldValue('/challenges', 'description', '');
    await logIn('ida');
    await expectFieldValue('/challenges', 'description', '');

    await page.goto('/profile#update-title');
    await field(page, 'streetAddress').fill('1 Elm St');
    await endSessionElsewhere();
    await page.waitForURL('**/login');
    await logIn('ida');
    await expectFieldValue('/profile', 'streetAddress', '1 Elm St');
    await button(page, 'Update').click();
    await page.getByText('Profile updated.').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('wayquest-form-drafts'))).not.toContain('Elm');
  });

  it('a description and a name that are too long are counted, kept whole, show the excess, and are not sent (53, finding 35)', async () => {
    const { page, consoleErrors } = await openFormAsNewUser('liv');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/api/challenges')) sent.push(request.url());
    });
    const requiredFields = {
      points: '10',
      locationName: 'Park',
      streetAddress: '1 Oak',
      city: 'Reno',
      state: 'NV',
    };
    for (const [name, value] of Object.entries(requiredFields)) await field(page, name).fill(value);
    await field(page, 'difficulty').selectOption('Easy');
    await field(page, 'name').fill('a'.repeat(74));
    expect(await page.getByText('of 120 characters').count()).toBe(0);
    await field(page, 'name').pressSequentially('a');
    await page.getByText('75 of 120 characters', { exact: true }).waitFor();
    await field(page, 'name').fill('');
    for (const [name, length, expected] of [
      ['name', 150, '150 of 120 characters: shorten it by 30'],
      ['description', 2_993, '2,993 of 2,000 characters: shorten it by 993'],
    ] as const) {
      await field(page, name).focus();
      await page.keyboard.insertText('a'.repeat(length));
      await page.getByText(expected, { exact: true }).waitFor();
      expect(await field(page, name).inputValue()).toHaveLength(length);
      expect(await field(page, name).getAttribute('aria-invalid')).toBe('true');
    }
    await button(page, 'Create New Challenge!').click();
    await eventually(() => field(page, 'name').evaluate((element) => element === document.activeElement));
    expect(sent).toEqual([]);
    await field(page, 'name').fill(`Short ${suffix}`);
    await field(page, 'description').fill('b'.repeat(2_000));
    await button(page, 'Create New Challenge!').click();
    await page.getByRole('heading', { level: 1, name: `Short ${suffix}` }).waitFor();
    expect(sent).toHaveLength(1);
    expect(consoleErrors).toEqual([]);
  });

  it('a picture keeps its colors in browsers that protect canvases', async () => {
    const { page, consoleErrors } = await openFormAsNewUser('ole');
    /** Runs in the page: returns a red square that is too large to be sent unchanged. */
    const drawRed = async () => {
      const canvas = new OffscreenCanvas(900, 900);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('this browser has no canvas context');
      context.fillStyle = '#e00000';
      context.fillRect(0, 0, 900, 900);
      const file = await canvas.convertToBlob({ type: 'image/png' });
      return [...new Uint8Array(await file.arrayBuffer())];
    };
    const buffer = Buffer.from(await page.evaluate(drawRed));
    /** Runs in the page: returns the color in the center of a picture. */
    const colorOf = async (path: string) => {
      const bitmap = await createImageBitmap(await (await fetch(path)).blob());
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      context?.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
      return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
    };
    const protect = () => {
      const encode = OffscreenCanvas.prototype.convertToBlob;
      OffscreenCanvas.prototype.convertToBlob = function (options) {
        const white = new OffscreenCanvas(this.width, this.height);
        const context = white.getContext('2d');
        if (context) context.fillStyle = '#fff';
        context?.fillRect(0, 0, this.width, this.height);
        return encode.call(white, options);
      };
    };
    const protectedPage = await page.context().newPage();
    await protectedPage.addInitScript(protect);
    await protectedPage.goto('/profile');
    const choose = protectedPage.locator('input[type="file"]');
    await choose.setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer });
    await protectedPage.getByText('Profile picture updated.').waitFor();
    const shown = protectedPage.getByRole('region', { name: 'Your profile' }).locator('img').first();
    const [red = 0, green = 255, blue = 255] = await page.evaluate(
      colorOf,
      (await shown.getAttribute('src')) ?? '',
    );
    expect(red).toBeGreaterThan(190);
    expect(Math.max(green, blue)).toBeLessThan(50);

    // A picture that is too large for the server and cannot be scaled down is reported.
    const large = Buffer.concat([buffer, Buffer.alloc(1024 * 1024)]);
    await choose.setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: large });
    await protectedPage.getByText(/Your browser's privacy protection/).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('redirects visitors to the login and back, and unknown paths to the home page', async () => {
    const { page, consoleErrors } = await browser.visitor();
    await page.goto('/Profile');
    await page.waitForURL('**/login');
    await page.getByRole('link', { name: /Create Account/ }).click();
    await signUp(page, `kim-${suffix}`);
    await page.getByRole('link', { name: 'Users', exact: true }).waitFor();
    await page.goto('/there/is/no/such/page');
    await page.waitForURL(/\/home$/);
    expect(consoleErrors).toEqual([]);
  });
});
