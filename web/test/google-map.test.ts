import './support/google/maps-script.js';
import type { Place } from '@wayquest/contracts';
import { createGoogleFinder } from '../src/features/explore/google-map/google-finder.ts';
import type { Suggestion } from '../src/features/explore/map/map.ts';

const middle = { lat: 40.76, lng: -73.82 };

describe("Google's finder", () => {
  const finder = createGoogleFinder();
  const { warn } = console;
  const warnings: unknown[] = [];
  const lastAsked = () => globalThis.googleStandIn.asked.at(-1);
  const fail = (endpoint: string, code: string) => {
    globalThis.googleStandIn.failures = { [endpoint]: code };
  };
  const place = async (id: string): Promise<Place> => finder.resolve({ id, label: '' });

  beforeAll(() => {
    console.warn = (warning: unknown) => warnings.push(warning);
  });
  afterAll(() => {
    console.warn = warn;
  });
  beforeEach(() => {
    Object.assign(globalThis.googleStandIn, { failures: {}, nowhere: false });
    warnings.length = 0;
  });

  it('suggests what Google predicts, and resolves a suggestion to a place in its parts', async () => {
    const suggestions = await finder.suggest('pond', middle);
    expect(suggestions).toEqual<Suggestion[]>([
      { id: 'pond-park', label: 'Pond Park, 1 Water Lane, Flushing, NY 11355, USA' },
    ]);
    expect(lastAsked()?.request).toEqual({ input: 'pond', locationBias: { center: middle, radius: 50_000 } });
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

  it('finds the places of a type within 50 km, the nearest first, and leaves out what has no position', async () => {
    const found = await finder.nearby('park', middle);
    expect(found.map(({ name, type }) => ({ name, type }))).toEqual([
      { name: 'Hill Park', type: 'park' },
      { name: 'Pond Park', type: 'park' },
    ]);
    expect(lastAsked()?.request).toMatchObject({
      includedTypes: ['park'],
      locationRestriction: { center: middle, radius: 50_000 },
    });
    expect(await finder.nearby('night_club', middle)).toEqual([]);
    // Of its many types a place has the one that it was asked for.
    expect((await finder.nearby('tourist_attraction', middle)).map(({ type }) => type)).toEqual([
      'tourist_attraction',
    ]);
  });

  it('tells the address of a spot', async () => {
    expect(await finder.reverse(middle)).toEqual({
      label: '43-50 Main Street, Flushing, NY 11355, USA',
      streetAddress: '43-50 Main Street',
      city: 'Flushing',
      state: 'NY',
      zip: '11355',
    });
  });

  it.each([
    ['ZERO_RESULTS', 'No address is known here.'],
    ['OVER_QUERY_LIMIT', 'The map is asked too much right now. Try again in a moment.'],
    ['SOMETHING_NEW', 'The map did not answer. Check your connection and try again.'],
  ])('a lookup that fails says so with its status: %s', async (status, message) => {
    fail('GEOCODER_GEOCODE', status);
    await expect(finder.reverse(middle)).rejects.toMatchObject({ name: 'LookupError', status, message });
  });

  it('every lookup fails in the same way', async () => {
    const status = 'PERMISSION_DENIED';
    globalThis.googleStandIn.failures = {
      PLACES_AUTOCOMPLETE: status,
      PLACES_GET_PLACE: status,
      PLACES_NEARBY_SEARCH: status,
    };
    const failed = { name: 'LookupError', status };
    await expect(finder.suggest('pond', middle)).rejects.toMatchObject(failed);
    await expect(place('pond-park')).rejects.toMatchObject(failed);
    await expect(finder.nearby('park', middle)).rejects.toMatchObject(failed);
  });

  it('a spot with nothing but a code of letters and digits has no address; nor has a place without a position', async () => {
    globalThis.googleStandIn.nowhere = true;
    const failed = { name: 'LookupError', status: 'ZERO_RESULTS' };
    await expect(finder.reverse(middle)).rejects.toMatchObject(failed);
    await expect(place('lost-park')).rejects.toMatchObject(failed);
  });

  it('gives the first photo of a place, and none where there is none or it cannot be had', async () => {
    const [pond, hill] = await Promise.all([place('pond-park'), place('hill-park')]);
    expect(await finder.photo?.(pond)).toBe('https://lh3.googleusercontent.com/stand-in/pond-park');
    expect(await finder.photo?.(hill)).toBeNull();
    fail('PLACES_GET_PLACE', 'INVALID_ARGUMENT');
    expect(await finder.photo?.(pond)).toBeNull();
    expect(warnings).toEqual(['Google gave no photo']);
  });

  it('leaves Google alone for two seconds when it was asked for too many photos', async () => {
    const pond = await place('pond-park');
    for (const code of ['OVER_QUERY_LIMIT', 'RESOURCE_EXHAUSTED']) {
      fail('PLACES_GET_PLACE', code);
      const begun = performance.now();
      expect(await finder.photo?.(pond)).toBeNull();
      expect(performance.now() - begun).toBeGreaterThan(1_900);
    }
  });
});
