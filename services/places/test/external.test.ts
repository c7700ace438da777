import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Environment } from '@wayquest/platform/settings';
import { eventually, type Network, stallProcess, startNetwork } from '@wayquest/testing';
import {
  expectOneRequestPerSecond,
  json,
  type MapServers,
  nominatimHouse,
  noResponse,
  photonHouse,
  startMapServers,
} from './map-servers.ts';

let maps: MapServers;
let network: Network;
const networks: Network[] = [];
beforeAll(async () => {
  maps = await startMapServers();
});

afterAll(async () => {
  for (const started of networks) await started.stop();
  await maps?.stop();
});

const contact = 'maps@wayquest.example';

const photon = () => ({ PLACES_GEOCODER: 'photon', PHOTON_URL: maps.url });

const defaultTimeoutMs = 2_000;

const startWith = async (settings: Environment, timeoutMs = defaultTimeoutMs) => {
  const started = await startNetwork({
    services: ['places'],
    settings: { PLACES_CONTACT: contact, PLACES_REQUESTS_PER_SECOND: '1000', ...settings },
    places: { timeoutMs, queueTimeoutMs: 60_000, preload: true },
  });
  networks.push(started);
  return started;
};

const unavailable = { status: 503, problem: { code: 'places-unavailable' } };

const collectGarbage = () => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

let spots = 0;
/** Returns a point that was not requested before. */
const newSpot = () => `40.7${++spots + 100},-73.83`;
const reverse = (at = newSpot()) => network.client().reversePlace({ query: { at } });
const search = (text: string) => network.client().searchPlaces({ query: { text, near: '40.76,-73.82' } });

/** Invalid responses of a server. */
const invalidResponses: [string, Parameters<MapServers['respondWith']>[0]][] = [
  ['an error', json({ error: 'too busy' }, 503)],
  ['a rejection', json({ error: 'slow down' }, 429)],
  ['HTML', (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
  ['an unexpected structure', json({ features: [{ geometry: { coordinates: ['here', 'there'] } }] })],
  ['a point off the earth', json({ features: [{ geometry: { coordinates: [0, 91] }, properties: {} }] })],
  ['no response', noResponse],
  ['a closed connection', (_request, response) => response.destroy()],
];

describe('Photon', () => {
  beforeAll(async () => {
    network = await startWith(photon());
  });

  it('is called for suggestions, with our user agent', async () => {
    maps.respondWith(json(photonHouse()));
    expect(await search('Dumpling House')).toEqual([
      {
        id: 'osm-N42',
        name: 'The Dumpling House',
        type: 'restaurant',
        vicinity: '136-20 38th Avenue, Flushing, NY',
        streetAddress: '136-20 38th Avenue',
        city: 'Flushing',
        state: 'NY',
        zip: '11354',
        position: { lat: 40.7607, lng: -73.8301 },
        matchesAll: true,
      },
    ]);
    expect(maps.requests).toMatchObject([
      {
        path: '/api',
        query: { q: 'Dumpling House', lat: '40.76', lon: '-73.82', limit: '8' },
        userAgent: `Wayquest (${contact})`,
      },
    ]);
  });

  it('is called once for the same words, ignoring case, spaces and punctuation', async () => {
    maps.respondWith(json(photonHouse()));
    const first = await search('Sushi  Bar');
    expect(first).toMatchObject([{ matchesAll: false }]);
    expect(await search('sushi bar!')).toEqual(first);
    expect(await Promise.all([search('Noodle Bar'), search('NOODLE bar')])).toEqual([first, first]);
    expect(maps.requests).toHaveLength(2);
  });

  it('is called once for the address of nearby points', async () => {
    maps.respondWith(json(photonHouse()));
    const expected = { label: '136-20 38th Avenue, Flushing, NY 11354', city: 'Flushing', zip: '11354' };
    expect(await reverse('40.76071,-73.83012')).toMatchObject(expected);
    expect(await reverse('40.76072,-73.83013')).toMatchObject(expected);
    expect(maps.requests).toMatchObject([{ path: '/reverse', query: { lat: '40.7607', lon: '-73.8301' } }]);
  });

  it('may return no address, which is cached, too', async () => {
    maps.respondWith(json({ features: [] }));
    for (let i = 0; i < 2; i++) {
      await expect(reverse('0,-140')).rejects.toMatchObject({ status: 404 });
    }
    expect(maps.requests).toHaveLength(1);
  });

  it('returns the names of towns in other countries unchanged', async () => {
    maps.respondWith(
      json(photonHouse({ countrycode: 'FR', city: 'Paris', state: 'Île-de-France', postcode: '75001' })),
    );
    expect(await reverse('48.86,2.34')).toMatchObject({
      city: 'Paris',
      state: 'Île-de-France',
      zip: '75001',
    });
  });

  it.each(invalidResponses)(
    'responding with %s causes a 503 for addresses; suggestions fall back to the gazetteer',
    async (_what, answer) => {
      maps.respondWith(answer);
      await expect(reverse()).rejects.toMatchObject(unavailable);
      expect((await search(`Flushing zz${spots}`))[0]).toMatchObject({ name: 'Flushing' });
      expect(maps.requests).toHaveLength(2);
    },
  );

  // Node 20 collects a signal of `AbortSignal.timeout` to which only `AbortSignal.any` refers, and the timeout is lost.
  it('is given up after the timeout, also if garbage is collected meanwhile', async () => {
    maps.respondWith(noResponse);
    const pending = reverse();
    await eventually(() => maps.requests.length === 1);
    collectGarbage();
    await expect(pending).rejects.toMatchObject(unavailable);
  });

  it('has responded in time if the process stalls until the timeout before it reads the response', async () => {
    maps.respondWith((request, response) => {
      response.on('finish', () => stallProcess(defaultTimeoutMs + 100));
      json(photonHouse())(request, response);
    });
    expect(await reverse()).toMatchObject({ zip: '11354' });
  });

  it('is used again as soon as it is available: fallback results are not cached', async () => {
    const searchOnce = () => fetch(`${network.url}/api/places/search?text=Corona+dumplings`);
    maps.respondWith(json({}, 500));
    expect((await searchOnce()).headers.get('cache-control')).toBe('no-store');
    maps.respondWith(json(photonHouse()));
    const response = await searchOnce();
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await response.json()).toMatchObject([{ name: 'The Dumpling House' }]);
  });

  it('is called again after a failure', async () => {
    const spot = newSpot();
    maps.respondWith(json({}, 500));
    await expect(reverse(spot)).rejects.toMatchObject(unavailable);
    maps.respondWith(json(photonHouse()));
    expect(await reverse(spot)).toMatchObject({ zip: '11354' });
  });
});

describe('Nominatim', () => {
  beforeAll(async () => {
    network = await startWith({ PLACES_GEOCODER: 'nominatim', NOMINATIM_URL: maps.url });
  });

  it('is never called for suggestions', async () => {
    maps.respondWith(json([nominatimHouse()]));
    expect((await search('Flushing'))[0]).toMatchObject({ name: 'Flushing', state: 'NY' });
    expect(maps.requests).toEqual([]);
  });

  it('is called for the address of a point', async () => {
    maps.respondWith(json(nominatimHouse()));
    expect(await reverse('40.7607,-73.8301')).toMatchObject({
      label: '136-20 38th Avenue, Flushing, NY 11354',
    });
    expect(maps.requests).toMatchObject([
      { path: '/reverse', query: { format: 'jsonv2', lat: '40.7607' }, userAgent: `Wayquest (${contact})` },
    ]);
  });

  it('may return no address', async () => {
    maps.respondWith(json({ error: 'Unable to geocode' }));
    await expect(reverse('0,-140')).rejects.toMatchObject({ status: 404 });
  });

  it.each(invalidResponses.filter(([name]) => !name.includes('point')))(
    'responding with %s causes a 503',
    async (_what, answer) => {
      maps.respondWith(answer);
      await expect(reverse()).rejects.toMatchObject(unavailable);
    },
  );
});

describe('Overpass', () => {
  const nearby = (at: string, radius = '5000', type: 'park' | 'restaurant' = 'park') =>
    network.client().nearbyPlaces({ query: { at, type, radius } });

  const parks = json({
    elements: [
      { type: 'way', id: 1, center: { lat: 40.78, lon: -73.92 }, tags: { name: 'Far Park' } },
      {
        type: 'node',
        id: 2,
        lat: 40.7601,
        lon: -73.8201,
        tags: { name: 'Near Park', 'addr:street': 'Main Street', 'addr:city': 'Flushing' },
      },
      { type: 'relation', id: 3, tags: { name: 'Nowhere Park' } },
      { type: 'node', id: 4, lat: 40.76, lon: -73.82 },
      { type: 'node', id: 5, lat: 40.7634, lon: -73.8201, tags: { name: 'Next Park' } },
    ],
  });

  beforeAll(async () => {
    network = await startWith({ OVERPASS_URL: `${maps.url}/interpreter` });
  });

  it('is called once per tile for places of a kind; results are sorted by distance and limited to the radius', async () => {
    maps.respondWith(parks);
    const fromOverpass = async (at: string, radius?: string) =>
      (await nearby(at, radius)).filter(({ id }) => id.startsWith('osm-')).map(({ name }) => name);
    expect(await fromOverpass('40.76,-73.82')).toEqual(['Near Park', 'Next Park']);
    expect(await fromOverpass('40.7635,-73.82')).toEqual(['Next Park', 'Near Park']);
    expect(await fromOverpass('40.76,-73.82', '50000')).toEqual(['Near Park', 'Next Park', 'Far Park']);
    // Wayquest's own known places are included.
    expect((await nearby('40.76,-73.82', '50000')).map(({ name }) => name)).toContain('Kissena Park');
    expect(maps.requests).toMatchObject([{ path: '/interpreter', userAgent: `Wayquest (${contact})` }]);
    expect(maps.requests[0]?.form.data).toContain(
      'nwr["leisure"="park"]["name"](40.65,-73.95,40.85,-73.75);',
    );
  });

  it('may return a known place in other letters, which is listed once', async () => {
    const position = { lat: 40.7827, lon: -73.9655 };
    maps.respondWith(
      json({ elements: [{ type: 'node', id: 6, ...position, tags: { name: 'CENTRAL PARK' } }] }),
    );
    const names = (await nearby('40.7827,-73.9655')).map(({ name }) => name);
    expect(names.filter((name) => name.toLowerCase() === 'central park')).toEqual(['CENTRAL PARK']);
  });

  it('is called again for another tile, and for another kind', async () => {
    maps.respondWith(json({ elements: [] }));
    await nearby('40.86,-73.82');
    await nearby('40.86,-73.82', '5000', 'restaurant');
    expect(maps.requests.map(({ form }) => /nwr\[[^\]]*\]/.exec(form.data ?? '')?.[0])).toEqual([
      'nwr["leisure"="park"]',
      'nwr["amenity"="restaurant"]',
    ]);
  });

  it('aborting a query causes a 503', async () => {
    maps.respondWith(json({ elements: [], remark: 'runtime error: Query timed out' }));
    await expect(nearby('10,10')).rejects.toMatchObject(unavailable);
  });

  it('is not called for addresses, which the gazetteer finds', async () => {
    maps.respondWith(noResponse);
    expect(await reverse('40.7684,-73.8275')).toMatchObject({ zip: '11354' });
    expect(maps.requests).toEqual([]);
  });
});

describe('one request a second', () => {
  it('is the limit of each external service; a few calls are queued, more are rejected', async () => {
    network = await startWith({ ...photon(), PLACES_REQUESTS_PER_SECOND: '1' }, 4_000);
    maps.respondWith(json(photonHouse()));
    const outcomes = await expectOneRequestPerSecond(5, () =>
      Promise.allSettled(Array.from({ length: 8 }, () => reverse())),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    for (const reason of reasons) expect(reason).toMatchObject(unavailable);
    expect(maps.requests).toHaveLength(5);
  });
});
