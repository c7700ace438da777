import {
  describeWith,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  type TestBrowser,
  type TestUser,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { contrast, type Rgb } from './support/contrast.ts';
import { startSite } from './support/start-site.ts';

/** What the pages' buttons really look like, whatever style sheet had the last word. */

interface FilledControl {
  name: string;
  text: Rgb;
  ground: Rgb;
}

/** The buttons and links on the page that have a ground of their own, with the colours a person sees. */
function filledControls(page: Page): Promise<FilledControl[]> {
  return page.evaluate(() => {
    const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    /** What is seen where these colours lie upon each other, the last one on top. */
    const paint = (colours: string[]): [number, number, number] => {
      if (!brush) throw new Error('nothing to paint with');
      for (const colour of ['white', ...colours]) {
        brush.fillStyle = colour;
        brush.fillRect(0, 0, 1, 1);
      }
      const [red = 0, green = 0, blue = 0] = brush.getImageData(0, 0, 1, 1).data;
      return [red, green, blue];
    };
    const groundsOf = (element: Element | null): string[] =>
      element ? [...groundsOf(element.parentElement), getComputedStyle(element).backgroundColor] : [];

    const nothing = 'rgba(0, 0, 0, 0)';
    return [...document.querySelectorAll<HTMLElement>('a, button')]
      .filter((control) => control.checkVisibility() && !control.matches(':disabled'))
      .filter((control) => control.textContent.trim() !== '')
      .filter((control) => getComputedStyle(control).backgroundColor !== nothing)
      .map((control) => {
        const label = control.querySelector('.mantine-Button-label') ?? control;
        const grounds = groundsOf(control);
        return {
          name: control.textContent.trim(),
          text: paint([...grounds, getComputedStyle(label).color]),
          ground: paint(grounds),
        };
      });
  });
}

const everyones = [
  { path: '/home', control: 'Start Exploring' },
  { path: '/challenges', control: 'Sign Up' },
  { path: '/challenges/:id', control: 'Join Challenge!' },
  { path: '/leaderboard', control: '1' },
  { path: '/explore', control: 'Sign Up' },
  { path: '/login', control: 'Sign in with Google' },
  { path: '/signup', control: 'Sign Up with Google' },
  { path: '/libraries', control: 'Sign Up' },
];
const members = [
  { path: '/home', control: 'Start Exploring' },
  { path: '/challenges', control: 'Add a Challenge' },
  { path: '/challenges/:id', control: 'Leave Challenge' },
  { path: '/leaderboard?page=2', control: '2' },
  { path: '/users', control: 'Add friend' },
  { path: '/users/:id', control: 'Add friend' },
  { path: '/profile', control: null },
  { path: '/friends', control: 'Find users' },
  { path: '/FriendsInvitation', control: 'Find users' },
  { path: '/messenger', control: 'Find users' },
];

(await describeWith('chromium'))('filled buttons and links in a browser', () => {
  let network: Network;
  let browser: TestBrowser;
  let member: TestUser;
  let other: TestUser;
  let challengeId: number;

  beforeAll(async () => {
    network = await startSite();
    browser = await openBrowser(network.url);
    member = await newUser(network);
    // Enough for a second page of the ranking.
    for (let count = 0; count < 11; count += 1) other = await newUser(network);
    ({ id: challengeId } = await newChallenge(member));
    await member.client.joinChallenge({ body: { challengeId } });
    await network.settle();
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  /** What of a page is hard to read. */
  async function hardToRead(page: Page, path: string, control: string | null) {
    const id = path.startsWith('/users') ? other.me.id : challengeId;
    await page.goto(path.replace(':id', String(id)));
    await page.getByRole('heading', { level: 1 }).waitFor();
    const controls = page.getByRole('link').or(page.getByRole('button'));
    if (control) await controls.filter({ hasText: control, visible: true }).first().waitFor();
    const found = await filledControls(page);
    if (control) expect(found.map(({ name }) => name)).toContain(control);
    return found
      .map(({ name, text, ground }) => ({ path, name, contrast: contrast(text, ground) }))
      .filter((each) => each.contrast < 4.5);
  }

  it.each(['light', 'dark'] as const)(
    'can be read by visitors, %s',
    async (colorScheme) => {
      const { page } = await browser.visitor({ colorScheme });
      const bad = [];
      for (const { path, control } of everyones) bad.push(...(await hardToRead(page, path, control)));
      expect(bad).toEqual([]);
    },
    90_000,
  );

  it.each(['light', 'dark'] as const)(
    'can be read by members, %s',
    async (colorScheme) => {
      const { page } = await browser.visitor({ colorScheme });
      await page.addInitScript((token) => localStorage.setItem('token', token), member.token);
      const bad = [];
      for (const { path, control } of members) bad.push(...(await hardToRead(page, path, control)));
      expect(bad).toEqual([]);
    },
    90_000,
  );
});
