import { type ChallengeCluster, createClient } from '@wayquest/contracts';
import { challengeCreated } from '../src/entities/challenges/slice.ts';
import { type ExploreAddress, readAddress, writeAddress } from '../src/features/explore/address.ts';
import { challengeAt } from '../src/features/explore/challenge-at.ts';
import { splitAddress } from '../src/features/explore/found-address.ts';
import { containsBox, grow } from '../src/features/explore/map/boxes.ts';
import { clusterPins, mergeOverlapping } from '../src/features/explore/map/clusters.ts';
import type { Pin } from '../src/features/explore/map/map.ts';
import { svgOf } from '../src/features/explore/map/pin-shapes.ts';
import { createOpenFinder } from '../src/features/explore/open-map/open-finder.ts';
import { pinArt as art } from '../src/features/explore/pin-art.ts';
import { challengePin, clusterPin, placePin } from '../src/features/explore/pins.ts';
import { emptyForm, selectFound, viewSearched } from '../src/features/explore/slice.ts';
import { cacheSuggestions } from '../src/features/explore/suggestions.ts';
import { translate } from '../src/features/explore/translations.ts';
import type { KeyValueStorage } from '../src/shared/lib/storage.ts';
import { memoryStorage, problem, runWith, startApp } from './support/app.ts';
import { fakeTimers } from './support/fake-timers.ts';
import { challenge } from './support/fixtures.ts';

const start: ExploreAddress = {
  center: { lat: 40.76, lng: -73.82 },
  zoom: 12,
  filters: { difficulty: null, open: false, joined: false, search: '' },
  placeType: null,
  challengeId: null,
  spot: null,
};

describe('the URL', () => {
  it('has the specified default values if parameters are missing or invalid', () => {
    const nonsense = 'at=91,0&zoom=x&difficulty=Mild&open=yes&type=zoo&challenge=-1&spot=1,2,3';
    expect(readAddress(new URLSearchParams())).toEqual(start);
    expect(readAddress(new URLSearchParams(nonsense))).toEqual(start);
  });

  it.each([
    ...[
      'at=,',
      'at=',
      'at=40.7',
      'at=40.7,',
      'at=,-73',
      'at= , ',
      'at=0x10,0x10',
      'at=4e1,-7e1',
      'at=NaN,NaN',
    ],
    ...['at=Infinity,0', 'zoom=', 'zoom= ', 'zoom=0x10', 'zoom=1e1', 'challenge=', 'challenge=1e3', 'spot=,'],
  ])('has the specified default values for ?%s (Y10)', (query) => {
    expect(readAddress(new URLSearchParams(query))).toEqual(start);
  });

  it('starts where the operator chose, and close enough to a position that it has', () => {
    const chosen = { center: { lat: 52.52, lng: 13.41 }, zoom: 5 };
    expect(readAddress(new URLSearchParams(), chosen)).toEqual({ ...start, ...chosen });
    const center = { lat: 48.1, lng: 11.6 };
    expect(readAddress(new URLSearchParams('at=48.1,11.6'), chosen)).toEqual({ ...start, center });
    expect(readAddress(new URLSearchParams('zoom=7'), chosen)).toEqual({ ...start, ...chosen, zoom: 7 });
  });

  it.each<Partial<ExploreAddress>>([
    { zoom: 4, center: { lat: -33.8688, lng: 151.2093 } },
    { filters: { difficulty: 'Hard', open: true, joined: true, search: 'a & b' } },
    { placeType: 'night_club', challengeId: 12 },
    { spot: { lat: 40.75999, lng: -73.8 } },
  ])('is read back as it was written: %j', (changes) => {
    const address = { ...start, ...changes };
    expect(readAddress(new URLSearchParams(writeAddress(address)))).toEqual(address);
  });
});

it.each([
  ['12 Oak St, Flushing, NY 11355', ['12 Oak St', 'Flushing', 'NY', '11355']],
  [
    '12 Oak St, Suite 4, Flushing, NY 11355-1234, USA',
    ['12 Oak St, Suite 4', 'Flushing', 'NY', '11355-1234'],
  ],
  ['Flushing, NY', ['', 'Flushing', 'NY', '']],
  ['Alexanderplatz 1, 10178 Berlin, Germany', ['', '', '', '']],
  ['Zürich', ['', '', '', '']],
  ['', ['', '', '', '']],
])('splits the address %j into its parts', (addressLine, [streetAddress, city, state, zip]) => {
  expect(splitAddress(addressLine)).toEqual({ streetAddress, city, state, zip });
});

describe('suggestions', () => {
  const position = { lat: 40.76, lng: -73.82 };
  const queries: string[] = [];
  const finder = {
    suggest: async (text: string) => {
      queries.push(text);
      return { found: [{ id: text, label: text, matchesAll: true }], isFallback: false };
    },
  };
  beforeEach(() => void queries.splice(0));
  afterEach(() => void jest.useRealTimers());

  it('are cached for a day for the same text and nearby positions', async () => {
    fakeTimers(['Date'], 0);
    const suggest = cacheSuggestions(finder, memoryStorage());
    expect(await suggest('Flushing', position)).toMatchObject([{ id: 'Flushing', label: 'Flushing' }]);
    expect(await suggest(' flushing', { lat: 40.761, lng: -73.821 })).toMatchObject([
      { id: 'Flushing', label: 'Flushing' },
    ]);
    jest.setSystemTime(86_400_000 - 1);
    await suggest('flushing', position);
    expect(queries).toEqual(['Flushing']);
    jest.setSystemTime(86_400_000);
    await suggest('flushing', position);
    await suggest('flushing', { lat: 46, lng: -123 });
    expect(queries).toEqual(['Flushing', 'flushing', 'flushing']);
  });

  it('are not cached if the response is a fallback', async () => {
    const responses = [
      { name: 'Flushing', cacheControl: 'no-store' },
      { name: 'Flushing Meadows', cacheControl: 'public, max-age=300' },
    ];
    const client = createClient({
      baseUrl: 'http://wayquest',
      fetch: async () => {
        const { name, cacheControl } = responses.shift() ?? {};
        const place = { id: `${name}`, name, type: null, vicinity: '', position };
        const found = [{ ...place, streetAddress: '', city: '', state: '', zip: '', matchesAll: true }];
        return Response.json(found, { headers: { 'cache-control': `${cacheControl}` } });
      },
    });
    const suggest = cacheSuggestions(createOpenFinder(runWith(client)), memoryStorage());
    expect(await suggest('Flushing', position)).toMatchObject([{ label: 'Flushing' }]);
    expect(await suggest('Flushing', position)).toMatchObject([{ label: 'Flushing Meadows' }]);
    expect(await suggest('Flushing', position)).toMatchObject([{ label: 'Flushing Meadows' }]);
    expect(responses).toEqual([]);
  });

  it('are loaded each time if the storage is full or its content invalid', async () => {
    const storage = memoryStorage();
    storage.setItem('wayquest-suggestions', '{"a":1}');
    const full: KeyValueStorage = {
      ...storage,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    const suggest = cacheSuggestions(finder, full);
    await suggest('a', position);
    await suggest('a', position);
    expect(queries).toEqual(['a', 'a']);
  });
});

describe('boxes', () => {
  const city = { west: -74, south: 40, east: -73, north: 41 };
  const dateLine = { west: 170, south: -20, east: -170, north: 0 };

  it.each([
    [city, { west: -73.9, south: 40.1, east: -73.1, north: 40.9 }, true],
    [city, { west: -74.1, south: 40.1, east: -73.1, north: 40.9 }, false],
    [dateLine, { west: 175, south: -10, east: -175, north: -5 }, true],
    [dateLine, { west: 160, south: -10, east: -175, north: -5 }, false],
    [{ west: -180, south: -90, east: 180, north: 90 }, dateLine, true],
  ])('%j contains %j: %s', (outer, inner, expected) => {
    expect(containsBox(outer, inner)).toBe(expected);
  });

  it('grow on every side, also across the date line, up to the whole world', () => {
    expect(grow(city, 0.5)).toEqual({ west: -74.5, south: 39.5, east: -72.5, north: 41.5 });
    expect(grow({ ...dateLine, east: 179 }, 0.5)).toMatchObject({ west: 165.5, east: -176.5 });
    expect(grow({ west: -100, south: -80, east: 100, north: 80 }, 0.5)).toEqual({
      west: -180,
      south: -90,
      east: 180,
      north: 90,
    });
  });
});

it('pins within 60 pixels are clustered, up to zoom 16', () => {
  const box = { west: -75, south: 40, east: -73, north: 41 };
  const pin = (id: string, lng: number): Pin => ({
    id,
    kind: 'challenge',
    position: { lat: 40.5, lng },
    label: id,
  });
  const degreesPerPixel = 360 / (256 * 2 ** 10);
  const at = (pixels: number) => -74 + pixels * degreesPerPixel;
  const close = clusterPins([pin('a', at(0)), pin('b', at(50)), pin('c', at(400))]);
  const [cluster, alone] = close.inView({ box, zoom: 10 });
  expect([cluster?.kind, cluster?.count, alone?.id]).toEqual(['cluster', 2, 'c']);
  expect(cluster && close.expansionZoom(cluster)).toBe(11);
  const apart = clusterPins([pin('a', at(0)), pin('b', at(90))]);
  expect(apart.inView({ box, zoom: 10 }).map(({ id }) => id)).toEqual(['a', 'b']);
  const same = clusterPins([pin('a', -74), pin('b', -74)]);
  expect(same.inView({ box, zoom: 16 })).toHaveLength(1);
  expect(same.inView({ box, zoom: 17 })).toHaveLength(2);
});

describe('a pin', () => {
  const position = start.center;
  const pinsOf = (changes?: { completed: boolean }, hasEnded = false) => {
    const withEndDate = { ...challenge, position, endDate: hasEnded ? '2026-05-02' : null };
    return challengePin(translate, withEndDate, new Map(changes ? [[challenge.id, changes]] : []), art);
  };
  const withoutColors = (pin: Pin) => svgOf(pin).replace(/#[0-9a-f]+/g, '');

  it('states in its label and shape whether the challenge is joined, completed or has ended', () => {
    const pins = [
      ...pinsOf(),
      ...pinsOf({ completed: false }),
      ...pinsOf({ completed: true }),
      ...pinsOf(undefined, true),
    ];
    expect(pins.map(({ label }) => label)).toEqual([
      'Count the bridges, Easy',
      'Count the bridges, Easy, joined',
      'Count the bridges, Easy, completed',
      'Count the bridges, Easy, ended',
    ]);
    expect(new Set(pins.map(withoutColors)).size).toBe(4);
    expect(pinsOf({ completed: true }, true)[0]?.state).toBe('completed');
    expect(pinsOf({ completed: false }, true)[0]?.state).toBe('ended');
  });

  it('shows the place category of its place, differently for challenges and places', () => {
    const at = (locationName: string) =>
      challengePin(translate, { ...challenge, position, locationName }, new Map(), art).map(withoutColors);
    expect(new Set([...at('Kissena Park'), ...at('卢沟桥'), ...at('St. Mary’s')]).size).toBe(3);
    const place = {
      id: '1',
      name: 'Kissena Park',
      vicinity: '',
      streetAddress: '',
      city: '',
      state: '',
      zip: '',
    };
    const [park, museum] = (['park', 'museum'] as const).map((type) =>
      placePin(translate, { ...place, type, position }, art),
    );
    expect(
      new Set([...at('Kissena Park'), ...[park, museum].flatMap((pin) => (pin ? withoutColors(pin) : []))])
        .size,
    ).toBe(3);
    expect(park?.glyph).toBe(art.ofChallenge(challenge));
    const bbox = { west: 0, south: 0, east: 1, north: 1 };
    const counted = { position, newest: 7, city: '', bbox, placeCategory: 'park' } as const;
    expect(clusterPin(translate, { ...counted, count: 1 }, new Map(), art).glyph).toBe(park?.glyph);
    expect(clusterPin(translate, { ...counted, count: 2 }, new Map(), art).glyph).toBeUndefined();
  });
});

describe('a cluster of the server', () => {
  const cluster = (lng: number, count: number, newest: number) => ({
    ...{ position: { lat: 40, lng }, count, newest, city: `Town ${newest}` },
    bbox: { west: lng - 0.01, south: 39.99, east: lng + 0.01, north: 40.01 },
  });
  /** The width of a pixel in degrees at zoom 12. */
  const pixel = 360 / (256 * 2 ** 12);

  it('is merged with another one if their circles overlap, with the sum of both counts', () => {
    const [merged, ...others] = mergeOverlapping([cluster(10, 30, 5), cluster(10 + 40 * pixel, 10, 9)], 12);
    expect(others).toEqual([]);
    expect(merged).toMatchObject({ count: 40, newest: 9, city: 'Town 9' });
    expect(merged?.position.lng).toBeCloseTo(10 + 10 * pixel);
    expect(merged?.bbox.west).toBeCloseTo(9.99);
    expect(merged?.bbox.east).toBeCloseTo(10.01 + 40 * pixel);
  });

  it('stays separate at a higher zoom, where the circles do not overlap', () => {
    const both = [cluster(10, 30, 5), cluster(10 + 40 * pixel, 10, 9)];
    expect(mergeOverlapping(both, 13)).toHaveLength(2);
  });

  it('is merged with a third one that the merged circle overlaps', () => {
    const three = [cluster(10, 99, 1), cluster(10 + 45 * pixel, 99, 2), cluster(10 + 72 * pixel, 3, 3)];
    expect(mergeOverlapping(three, 12).map(({ count }) => count)).toEqual([201]);
  });
});

it('a challenge has the address of its position, or that of the form if there is none', () => {
  const form = { ...emptyForm, name: 'Walk', difficulty: 'Easy', streetAddress: '1 Typed St', city: 'Typed' };
  const known = { streetAddress: '', city: 'Known', state: 'NY', zip: '11355' };
  const spot = { position: start.center, locationName: '', ...known };
  expect(challengeAt(spot, form, false)).toMatchObject({ name: 'Walk', ...known });
  expect(challengeAt({ ...spot, city: '' }, form, true)).toMatchObject({
    locationName: '1 Typed St',
    streetAddress: '1 Typed St',
    city: 'Typed',
    state: 'NY',
    zip: '11355',
  });
});

describe('a search in the map’s view', () => {
  const box = { west: -74, south: 40, east: -73, north: 41 };
  const filters = { difficulty: 'Hard' as const, open: true, joined: false, search: ' bridge ' };
  const query =
    'scope=all&bbox=-74.000000%2C40.000000%2C-73.000000%2C41.000000&difficulty=Hard&open=true&search=bridge';
  const view = `GET /api/challenges/view?${query}&zoom=12`;
  const cluster: ChallengeCluster = {
    position: { lat: 40.5, lng: -73.5 },
    count: 900,
    newest: 7,
    city: 'Flushing',
    bbox: box,
  };

  it('is one request, and challenges created later in the view are listed first', async () => {
    const body = { challenges: [challenge], clusters: [] };
    const { store, calls, until } = startApp({ responses: { [view]: { body } } });
    store.dispatch(viewSearched({ box, zoom: 12.7, filters, near: null }));
    await until(({ explore }) => explore.results.state === 'ready');
    expect(calls.map(({ call }) => call)).toEqual([view]);
    store.dispatch(challengeCreated({ ...challenge, id: 77, position: { lat: 40.5, lng: -73.5 } }));
    store.dispatch(challengeCreated({ ...challenge, id: 78 }));
    expect(selectFound(store.getState()).map(({ id }) => id)).toEqual([77, challenge.id]);
  });

  it('stores the clusters that the server sends for many challenges', async () => {
    const body = { challenges: [challenge], clusters: [cluster] };
    const { store, calls, until } = startApp({ responses: { [view]: { body } } });
    store.dispatch(viewSearched({ box, zoom: 12, filters, near: null }));
    await until(({ explore }) => explore.results.state === 'ready');
    expect(calls.map(({ call }) => call)).toEqual([view]);
    expect(store.getState().explore.clusters).toEqual([cluster]);
  });

  it('stores the reason if it fails', async () => {
    const { store, until } = startApp({ responses: { [view]: problem('service-unavailable') } });
    store.dispatch(viewSearched({ box, zoom: 12, filters, near: null }));
    await until(
      ({ explore }) =>
        explore.results.state === 'failed' && /temporarily unavailable/.test(explore.results.error ?? ''),
    );
  });
});
