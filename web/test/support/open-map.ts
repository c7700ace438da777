import {
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  type TestBrowser,
  type TestUser,
} from '@wayquest/testing';
import type { Locator, Page } from 'playwright-core';
import { startSite } from './start-site.ts';

export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
export const list = (page: Page) => page.getByRole('list', { name: 'Challenges on the map' });
export const map = (page: Page) => page.locator('.leaflet-container');
export const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);

/** Fills the required fields of the form, with an end date in the far future. */
export const fillForm = async (page: Page, name: string) => {
  await field(page, 'name').fill(name);
  await field(page, 'startDate').fill('2026-01-01');
  await field(page, 'endDate').fill('2099-12-31');
  await field(page, 'difficulty').selectOption('Hard');
};

/** The bottom sheet over the map on a phone. */
export const sheet = (page: Page) => page.locator('[data-snap-point]');
export const handle = (page: Page) => button(page, 'Expand or collapse');
export const waitForSnapPoint = (page: Page, snapPoint: 'peek' | 'half' | 'full') =>
  page.locator(`[data-snap-point="${snapPoint}"]:not([data-dragged])`).waitFor();

export const boxOf = async (target: Locator) => {
  const box = await target.boundingBox();
  if (!box) throw new Error('the element is not visible');
  return { ...box, bottom: box.y + box.height, right: box.x + box.width };
};

/** A network and a browser, with two challenges of one creator on the open map. */
export interface OpenMapFixture {
  network: Network;
  browser: TestBrowser;
  creator: TestUser;
  /** Opens a page of a map without tiles. */
  visit(
    path: string,
    options?: ({ as?: TestUser } & typeof phone) | { as?: TestUser },
  ): ReturnType<TestBrowser['visitor']>;
  stop(): Promise<void>;
}

export async function startOpenMap(): Promise<OpenMapFixture> {
  const network = await startSite({ tiles: 'unreachable', places: { preload: true } });
  const browser = await openBrowser(network.url);
  const creator = await newUser(network);
  await newChallenge(creator, { name: 'Find the carousel', position: { lat: 40.7466, lng: -73.8517 } });
  await newChallenge(creator, {
    name: 'Count the planes',
    difficulty: 'Medium',
    position: { lat: 40.7796, lng: -73.8153 },
    startDate: '2020-01-01',
    endDate: '2020-12-31',
  });
  return {
    network,
    browser,
    creator,
    async visit(path, { as, ...options } = {}) {
      const visitor = await browser.visitor({ ...options, token: as?.token });
      await visitor.page.goto(path);
      return visitor;
    },
    async stop() {
      await browser.close();
      await network.stop();
    },
  };
}
