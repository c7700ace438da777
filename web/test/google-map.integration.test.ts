import './support/google/maps-script.js';
import type { Place } from '@wayquest/contracts';
import { describeWith, eventually, newChallenge, newUser, pressKey, type TestUser } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { createGoogleFinder } from '../src/features/explore/google-map/google-finder.ts';
import type { Suggestions } from '../src/features/explore/map/map.ts';
import { dateAndTimers, fakeTimers } from './support/fake-timers.ts';
import { type FakeGoogle, requestsOf, serveGoogle } from './support/google/fake-google.ts';
import { boxOf } from './support/open-map.ts';
import { useSite } from './support/start-site.ts';

const middle = { lat: 40.76, lng: -73.82 };

describe('the place search with Google', () => {
  const finder = createGoogleFinder();
  const { warn } = console;
  const warnings: unknown[] = [];
  const lastRequest = () => globalThis.fakeGoogle.requests.at(-1);
  const fail = (endpoint: string, code: string) => {
    globalThis.fakeGoogle.failures = { [endpoint]: code };
  };
  const place = async (id: string): Promise<Place> => finder.resolve({ id, label: '', matchesAll: true });

  beforeAll(() => {
    console.warn = (warning: unknown) => warnings.push(warning);
  });
  afterAll(() => {
    console.warn = warn;
  });
  beforeEach(() => {
    Object.assign(globalThis.fakeGoogle, { failures: {}, hasNoAddress: false });
    warnings.length = 0;
  });

  it('suggests Google’s predictions, and resolves a suggestion to a place with address and position', async () => {
    expect(await finder.suggest('pond', middle)).toEqual<Suggestions>({
      found: [
        { id: 'pond-park', label: 'Pond Park, 1 Water Lane, Flushing, NY 11355, USA', matchesAll: true },
      ],
      isFallback: false,
    });
    expect(lastRequest()?.request).toEqual({
      input: 'pond',
      locationBias: { center: middle, radius: 50_000 },
    });
    expect(await place('pond-park')).toEqual<Place>({
      id: 'pond-park',
      name: 'Pond Park',
      type: 'park',
      streetAddress: '1 Water Lane',
      city: 'Flushing',
      state: 'NY',
      zip: '11355',
      vicinity: '1 Water Lane, Flushing',
      position: { lat: 40.772, lng: -73.84 },
    });
  });

  it('finds the places of a type within 50 km, nearest first, excluding those without a position', async () => {
    const found = await finder.nearby('park', middle);
    expect(found.map(({ name, type }) => ({ name, type }))).toEqual([
      { name: 'Hill Park', type: 'park' },
      { name: 'Pond Park', type: 'park' },
    ]);
    expect(lastRequest()?.request).toMatchObject({
      includedTypes: ['park'],
      locationRestriction: { center: middle, radius: 50_000 },
    });
    expect(await finder.nearby('night_club', middle)).toEqual([]);
    // A place with several types has the requested one.
    expect((await finder.nearby('tourist_attraction', middle)).map(({ type }) => type)).toEqual([
      'tourist_attraction',
    ]);
  });

  it('returns the address of a position', async () => {
    expect(await finder.reverse(middle)).toEqual({
      label: '43-50 Main Street, Flushing, NY 11355, USA',
      streetAddress: '43-50 Main Street',
      city: 'Flushing',
      state: 'NY',
      zip: '11355',
    });
  });

  it.each([
    ['ZERO_RESULTS', 'No address found here.'],
    ['OVER_QUERY_LIMIT', 'The map service is busy. Try again in a moment.'],
    ['SOMETHING_NEW', "The map service didn't respond. Check your connection and try again."],
  ])('reports the status %s of a failed address lookup with a message', async (status, message) => {
    fail('GEOCODER_GEOCODE', status);
    await expect(finder.reverse(middle)).rejects.toMatchObject({ name: 'LookupError', status, message });
  });

  it('reports failures of suggestions, places and nearby searches in the same way', async () => {
    const status = 'PERMISSION_DENIED';
    globalThis.fakeGoogle.failures = {
      PLACES_AUTOCOMPLETE: status,
      PLACES_GET_PLACE: status,
      PLACES_NEARBY_SEARCH: status,
    };
    const failed = { name: 'LookupError', status };
    await expect(finder.suggest('pond', middle)).rejects.toMatchObject(failed);
    await expect(place('pond-park')).rejects.toMatchObject(failed);
    await expect(finder.nearby('park', middle)).rejects.toMatchObject(failed);
  });

  it('reports no results for a position with only a plus code, and for a place without a position', async () => {
    globalThis.fakeGoogle.hasNoAddress = true;
    const failed = { name: 'LookupError', status: 'ZERO_RESULTS' };
    await expect(finder.reverse(middle)).rejects.toMatchObject(failed);
    await expect(place('lost-park')).rejects.toMatchObject(failed);
  });

  it('returns the first photo of a place, or null if it has none or the lookup fails', async () => {
    const [pond, hill] = await Promise.all([place('pond-park'), place('hill-park')]);
    expect(await finder.photo?.(pond)).toEqual({
      url: 'https://lh3.googleusercontent.com/stand-in/pond-park',
      credit: 'Ana Ng',
    });
    expect(await finder.photo?.(hill)).toBeNull();
    fail('PLACES_GET_PLACE', 'INVALID_ARGUMENT');
    expect(await finder.photo?.(pond)).toBeNull();
    expect(warnings).toEqual(['Google returned no photo']);
  });

  it('returns no photo after two seconds if Google’s rate limit is reached', async () => {
    const pond = await place('pond-park');
    for (const code of ['OVER_QUERY_LIMIT', 'RESOURCE_EXHAUSTED']) {
      fail('PLACES_GET_PLACE', code);
      fakeTimers(dateAndTimers);
      try {
        let photo: unknown = 'none yet';
        finder.photo?.(pond).then((answer) => {
          photo = answer;
        });
        await jest.advanceTimersByTimeAsync(1_999);
        expect(photo).toBe('none yet');
        await jest.advanceTimersByTimeAsync(1);
        expect(photo).toBeNull();
      } finally {
        jest.useRealTimers();
      }
    }
  });
});

const settings = { GOOGLE_MAPS_API_KEY: 'a-key' };

const map = (page: Page) => page.getByRole('region', { name: 'Map', exact: true }).locator('.fake-google');
const pin = (page: Page, name: string | RegExp) => map(page).getByRole('button', { name });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const failAt = (page: Page, failures: Record<string, string>) =>
  page.evaluate((value) => {
    globalThis.fakeGoogle.failures = value;
  }, failures);

(await describeWith('chromium'))("Google's map in a browser", () => {
  const site = useSite({ settings });
  let creator: TestUser;

  const visit = async (
    {
      as,
      reachable = true,
      ...initialState
    }: Partial<FakeGoogle> & { as?: TestUser; reachable?: boolean } = {},
    path = '/explore',
  ) => {
    const visitor = await site.browser.visitor({ token: as?.token });
    const google = await serveGoogle(visitor.page, initialState);
    google.reachable = reachable;
    await visitor.page.goto(path);
    return { ...visitor, google };
  };

  beforeAll(async () => {
    creator = await newUser(site.network);
    await newChallenge(creator, { name: 'Skip a stone', position: { lat: 40.7721, lng: -73.8401 } });
    await newChallenge(creator, { name: 'Feed no duck', position: { lat: 40.7724, lng: -73.8395 } });
    await newChallenge(creator, { name: 'Climb the hill', position: { lat: 40.75, lng: -73.79 } });
  });

  it('loads the script once, with key, callback and places library, and no other map', async () => {
    const { page, google, consoleErrors } = await visit();
    await pin(page, 'Climb the hill, Easy').waitFor();
    const { loads, maps } = await page.evaluate(() => globalThis.fakeGoogle);
    expect(loads).toEqual([
      expect.objectContaining({ key: 'a-key', callback: expect.stringMatching(/./), loading: 'async' }),
    ]);
    expect(loads[0]?.libraries?.split(',')).toContain('places');
    expect(maps).toEqual([
      { options: expect.objectContaining({ clickableIcons: false, colorScheme: 'LIGHT' }) },
    ]);
    expect(google.loads).toBe(1);
    expect(await page.locator('.leaflet-container').count()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });

  it('clusters close pins, and zooms in until they separate', async () => {
    const { page } = await visit();
    const cluster = pin(page, /2 challenges/);
    expect(await cluster.textContent()).toBe('2');
    await cluster.click();
    await pin(page, 'Skip a stone, Easy').waitFor();
    await pin(page, 'Feed no duck, Easy').waitFor();
    await pressKey(pin(page, 'Feed no duck, Easy'));
    await dialog(page, 'Feed no duck').getByText('Ongoing').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The focus has returned to the pin.
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.getAttribute('title'))).toBe(
        'Feed no duck, Easy',
      ),
    );
  });

  it('creates a challenge by a click, with the address from Google', async () => {
    const { page, consoleErrors } = await visit({ as: creator });
    await page.setViewportSize({ width: 1280, height: 800 });
    await pin(page, 'Climb the hill, Easy').waitFor();
    await map(page).click({ position: { x: 300, y: 100 } });
    const window = dialog(page, 'Create a Challenge');
    await window.getByText('43-50 Main Street, Flushing, NY 11355, USA').waitFor();
    const create = window.getByRole('button', { name: 'Create Challenge' });
    // The whole window with its button is visible, although the click was near the upper edge.
    await eventually(async () => {
      const [outer, inner, foot] = [await boxOf(map(page)), await boxOf(window), await boxOf(create)];
      expect(inner.y).toBeGreaterThan(outer.y);
      expect(inner.bottom).toBeLessThan(Math.min(outer.bottom, 800));
      expect(foot.bottom).toBeLessThan(inner.bottom);
    });
    expect(await window.getByLabel('Difficulty').locator('option').allTextContents()).toEqual([
      expect.any(String),
      'Easy',
      'Medium',
      'Hard',
    ]);
    await window.getByLabel('Challenge Name').fill('Count the trams');
    await window.getByLabel('Start date').fill('2026-01-01');
    await window.getByLabel('End date').fill('2099-12-31');
    await window.getByLabel('Difficulty').selectOption('Medium');
    await create.click();
    await dialog(page, 'Count the trams').waitFor();
    await pin(page, 'Count the trams, Medium').waitFor();
    const [made] = await site.network
      .client()
      .listChallenges({ query: { scope: 'all', search: 'Count the trams' } });
    expect(made).toMatchObject({
      streetAddress: '43-50 Main Street',
      city: 'Flushing',
      state: 'NY',
      zip: '11355',
      points: 20,
    });
    expect(consoleErrors).toEqual([]);
  });

  it('moves to a selected prediction, requests each text once, and shows the photo of the place', async () => {
    const { page } = await visit();
    const search = page.getByPlaceholder('Enter an address');
    await search.fill('reading');
    await page.getByRole('option', { name: /^Reading Room, 7 Book Street/ }).waitFor();
    await search.fill('pond');
    await page.getByRole('option', { name: /^Pond Park/ }).waitFor();
    await search.fill('reading');
    await page.getByRole('option', { name: /^Reading Room/ }).waitFor();
    const predictions = (await requestsOf(page)).filter(({ endpoint }) => endpoint === 'PLACES_AUTOCOMPLETE');
    expect(predictions).toHaveLength(2);

    await search.fill('pond');
    await page.getByRole('option', { name: /^Pond Park/ }).click();
    await dialog(page, 'Pond Park').locator('img[src$="/stand-in/pond-park"]').waitFor();
    // The map's center is above the park (40.772), to make room for its window.
    await page.waitForURL(/at=40\.7[78]\d*%2C-73\.8[34]\d*/);
  });

  it('shows the places of a type as markers, with a placeholder in the windows of those without a photo', async () => {
    const { page } = await visit();
    await page.getByLabel('Show Locations by Type').selectOption('park');
    await pin(page, 'Pond Park').waitFor();
    expect(await pin(page, /Far Park|Lost Park/).count()).toBe(0);
    await pressKey(pin(page, 'Hill Park'));
    const picture = dialog(page, 'Hill Park').locator('img[src="/images/placeholder.jpg"]');
    await picture.waitFor();
    await eventually(async () =>
      expect(
        await picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
      ).toBeGreaterThan(1_000),
    );
  });

  it('shows the placeholder if Google’s rate limit for photos is reached', async () => {
    const { page } = await visit();
    await page.getByLabel('Show Locations by Type').selectOption('park');
    await pin(page, 'Pond Park').waitFor();
    await failAt(page, { PLACES_GET_PLACE: 'OVER_QUERY_LIMIT' });
    await pressKey(pin(page, 'Pond Park'));
    await dialog(page, 'Pond Park').locator('img[src="/images/placeholder.jpg"]').waitFor();
  });

  it('shows the status of a failed address lookup after a click', async () => {
    const { page } = await visit();
    await pin(page, 'Climb the hill, Easy').waitFor();
    await failAt(page, { GEOCODER_GEOCODE: 'OVER_QUERY_LIMIT' });
    await map(page).click({ position: { x: 300, y: 500 } });
    await page.getByRole('alert').filter({ hasText: 'OVER_QUERY_LIMIT' }).waitFor();
  });

  it('moves by arrow keys, and keeps its position when the color scheme changes', async () => {
    const { page } = await visit();
    await pin(page, 'Climb the hill, Easy').waitFor();
    await pressKey(map(page), 'ArrowRight');
    await page.waitForURL(/at=40\.76%2C-73\.79\d*/);
    const before = new URL(page.url()).searchParams.get('at');
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    await eventually(async () => {
      const { maps } = await page.evaluate(() => globalThis.fakeGoogle);
      expect(maps.at(-1)?.options.colorScheme).toBe('DARK');
    });
    await pin(page, 'Climb the hill, Easy').waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe(before);
  });

  it('shows an error if the script cannot be loaded, and loads it after a retry', async () => {
    const { page, google } = await visit({ reachable: false });
    await page.getByText('Error loading maps').waitFor();
    google.reachable = true;
    await page.getByRole('button', { name: 'Try again' }).click();
    await pin(page, 'Climb the hill, Easy').waitFor();
  });

  it('shows an error if Google rejects the key', async () => {
    const { page } = await visit({ rejectsKey: true });
    await page.getByText('Error loading maps').waitFor();
  });
});
