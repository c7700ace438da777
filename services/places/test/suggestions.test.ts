import { type Position, placeCategoryOfType, type Suggestion } from '@wayquest/contracts';
import { type Network, startNetwork } from '@wayquest/testing';
import { json, type MapServers, startMapServers } from './map-servers.ts';

let maps: MapServers;
let network: Network;
let withOverpass: Network;
let withPhoton: Network;
beforeAll(async () => {
  maps = await startMapServers();
  network = await startNetwork({
    services: ['places'],
    places: { preload: true },
  });
  const startWith = (settings: Record<string, string>) =>
    startNetwork({
      services: ['places'],
      settings: { PLACES_CONTACT: 'maps@wayquest.example', PLACES_REQUESTS_PER_SECOND: '1000', ...settings },
      places: { timeoutMs: 2_000, queueTimeoutMs: 60_000, preload: true },
    });
  withOverpass = await startWith({ OVERPASS_URL: `${maps.url}/interpreter` });
  withPhoton = await startWith({ PLACES_GEOCODER: 'photon', PHOTON_URL: maps.url });
});
afterAll(async () => {
  await network?.stop();
  await withOverpass?.stop();
  await withPhoton?.stop();
  await maps?.stop();
});

const berlin = { lat: 52.52437, lng: 13.41053 };
const taipei = { lat: 25.04776, lng: 121.53185 };

const suggestionsAt = ({ lat, lng }: Position, on = network, language?: 'en' | 'zh') =>
  on.client().listSuggestions({ query: { at: `${lat},${lng}`, ...(language && { language }) } });

const tasksOf = (found: Suggestion[]) => found.filter(({ area }) => area);

it.each([
  ['Berlin', berlin, 19_500],
  ['Taipei', taipei, 23_000],
  ['Aurillac', { lat: 44.92539, lng: 2.43983 }, 4_700],
])(
  'suggests tasks for the town of %s, at its center and without an invented place (53, finding 3)',
  async (city, center, radiusMeters) => {
    const found = await suggestionsAt(center);
    expect(found.length).toBeGreaterThanOrEqual(18);
    for (const suggestion of found)
      expect(suggestion).toMatchObject({
        position: center,
        city,
        locationName: '',
        area: { kind: 'town', radiusMeters },
      });
    expect(found.every(({ name }) => name.includes(city))).toBe(true);
    expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    expect(found.every(({ description }) => description.endsWith('Stay on public ground.'))).toBe(true);
  },
);

it('suggests the same challenges everywhere in a town, with stable ids, also in Chinese', async () => {
  const inTown = await suggestionsAt({ lat: berlin.lat + 0.004, lng: berlin.lng });
  const inCenter = await suggestionsAt(berlin);
  expect(inTown).toEqual(inCenter);
  for (const suggestion of inCenter)
    expect(await network.client().getSuggestion({ params: { id: suggestion.id } })).toEqual(suggestion);
  const inChinese = await suggestionsAt(berlin, network, 'zh');
  expect(inChinese.map(({ id }) => id)).toEqual(inCenter.map(({ id }) => id));
  expect(inChinese.map(({ template }) => template)).toEqual(inCenter.map(({ template }) => template));
  expect(inChinese.every(({ name }) => /\p{Script=Han}/u.test(name))).toBe(true);
  expect(
    inChinese.every(({ description }) => /[。？]请只走公共场所，不要进私人院子。$/.test(description)),
  ).toBe(true);
});

it.each([
  ['the old town of Reykjavík', 64.1466, -21.9426, 'Reykjavík'],
  ['it, rounded as the web app sends it', 64.147, -21.943, 'Reykjavík'],
  ['the center of its suburb', 64.153, -21.99, 'Seltjarnarnes'],
  ['Nairobi', -1.28333, 36.81667, 'Nairobi'],
  ['Westminster', 51.5007, -0.1246, 'London'],
  ['Croydon', 51.3762, -0.0982, 'Croydon'],
  ['Berlin', 52.52, 13.405, 'Berlin'],
  ['Köpenick', 52.4427, 13.58, 'Berlin'],
  ['Osaka', 34.6937, 135.5023, 'Osaka'],
  ['a suburb of São Paulo', -23.5329, -46.7916, 'Osasco'],
  ['São Paulo', -23.55, -46.63, 'São Paulo'],
  ['Aurillac', 44.9262, 2.4397, 'Aurillac'],
  ['Flushing', 40.7675, -73.8331, 'Flushing'],
])('chooses the town at %s by distance and size (53, finding 6)', async (_, lat, lng, city) => {
  const tasks = tasksOf(await suggestionsAt({ lat, lng }));
  expect(new Set(tasks.map((task) => task.city))).toEqual(new Set([city]));
  expect(new Set(tasks.map(({ area }) => area?.kind))).toEqual(new Set(['town']));
});

it.each([
  ['a village', 44.9806, 2.625],
  ['ten kilometers from it', 45.07, 2.62],
])('suggests tasks for villages in %s, none in a town (53, finding 10)', async (_, lat, lng) => {
  const found = await suggestionsAt({ lat, lng });
  expect(found.map(({ name }) => name)).toContain('Walk to the edge of your village and back');
  for (const suggestion of found) {
    expect(suggestion).toMatchObject({
      city: 'Vic-sur-Cère',
      area: { kind: 'surroundings', radiusMeters: 30_000 },
    });
    expect(suggestion.name).not.toMatch('Vic-sur-Cère');
    expect(await network.client().getSuggestion({ params: { id: suggestion.id } })).toEqual(suggestion);
  }
});

it('suggests other tasks first in neighboring towns, and small ones no museum (53, finding 10)', async () => {
  const firstThree = async (at: Position) =>
    (await suggestionsAt(at)).slice(0, 3).map(({ template }) => template?.key);
  const firsts = await Promise.all(
    [
      { lat: 44.9262, lng: 2.4397 },
      { lat: 44.9044, lng: 2.4559 },
      { lat: 64.1355, lng: -21.8954 },
      { lat: 64.1123, lng: -21.913 },
      { lat: 64.067, lng: -21.938 },
      berlin,
    ].map(firstThree),
  );
  expect(new Set(firsts.map((keys) => keys.toSorted().join())).size).toBe(firsts.length);
  const kinds = async (at: Position) => (await suggestionsAt(at)).map(({ placeCategory }) => placeCategory);
  expect(await kinds(berlin)).toContain('museum');
  expect(await kinds({ lat: 44.9262, lng: 2.4397 })).not.toContain('museum');
});

it('suggests nothing out at sea', async () => {
  expect(await suggestionsAt({ lat: 0, lng: -30 })).toEqual([]);
});

it.each(['52.5244_13.4105_none', '52.6000_13.4105_loop', '99.0000_13.4105_loop', '0.0000_-30.0000_loop'])(
  'rejects the unknown suggestion %s',
  async (id) => {
    await expect(network.client().getSuggestion({ params: { id } })).rejects.toMatchObject({
      status: 404,
      problem: { code: 'suggestion-not-found' },
    });
  },
);

it('rejects an invalid id', async () => {
  await expect(network.client().getSuggestion({ params: { id: 'loop' } })).rejects.toMatchObject({
    status: 400,
    problem: { code: 'invalid-request' },
  });
});

/** An element of Overpass's response, so many degrees north of Berlin's center. */
const element = (id: number, north: number, tags: Record<string, string>) => ({
  ...{ type: 'node', id, lat: berlin.lat + north, lon: berlin.lng, tags },
});

it('suggests the nearest named place of each type, found with one query for each town', async () => {
  maps.respondWith(
    json({
      elements: [
        element(7, 0.004, { name: 'Farther Corner', leisure: 'park' }),
        element(8, 0.002, { name: 'Green Corner', leisure: 'park' }),
        element(9, 0.003, { name: 'Old Books', amenity: 'library' }),
        element(10, 0.02, { name: 'Too Far', tourism: 'museum' }),
        element(11, 0.001, { name: 'No Type', shop: 'bakery' }),
      ],
    }),
  );
  const found = await suggestionsAt(berlin, withOverpass);
  const atPlaces = found.filter(({ name }) => name.startsWith('Discover '));
  expect(atPlaces.map(({ name }) => name)).toEqual(['Discover Green Corner', 'Discover Old Books']);
  expect(atPlaces).toMatchObject([
    { locationName: 'Green Corner', city: 'Berlin', placeCategory: placeCategoryOfType.park },
    { locationName: 'Old Books', city: 'Berlin', placeCategory: placeCategoryOfType.library },
  ]);
  for (const suggestion of atPlaces)
    expect(await withOverpass.client().getSuggestion({ params: { id: suggestion.id } })).toEqual(suggestion);
  await suggestionsAt({ lat: berlin.lat + 0.004, lng: berlin.lng }, withOverpass);
  expect(maps.requests).toHaveLength(1);
  const query = maps.requests[0]?.form.data;
  for (const [key, value] of [
    ['leisure', 'park'],
    ['tourism', 'museum'],
    ['amenity', 'cinema'],
    ['tourism', 'attraction'],
    ['amenity', 'nightclub'],
    ['amenity', 'library'],
    ['amenity', 'restaurant'],
  ])
    expect(query).toContain(`nwr["${key}"="${value}"]["name"](around:1000,${berlin.lat},${berlin.lng});`);
});

/** A feature of Photon's response, so many degrees north of Berlin's center. */
const feature = (osm_id: number, north: number, [osm_key = '', osm_value = '']: string[], name = '') => ({
  geometry: { coordinates: [berlin.lng, berlin.lat + north] },
  properties: {
    osm_type: 'N',
    osm_id,
    osm_key,
    osm_value,
    type: 'house',
    name,
    city: 'Berlin',
    countrycode: 'DE',
  },
});

it('suggests the nearest named place of each type with Photon alone, found with two queries for each town', async () => {
  const features = [
    feature(7, 0.004, ['leisure', 'park'], 'Farther Corner'),
    feature(8, 0.002, ['leisure', 'park'], 'Green Corner'),
    feature(9, 0.001, ['tourism', 'museum']),
    feature(10, 0.02, ['amenity', 'library'], 'Too Far'),
  ];
  const restaurants = [feature(11, 0.003, ['amenity', 'restaurant'], 'Noodles')];
  maps.respondWith((request, response) =>
    json({ features: request.query.osm_tag === 'amenity:restaurant' ? restaurants : features })(
      request,
      response,
    ),
  );
  const found = await suggestionsAt(berlin, withPhoton);
  const atPlaces = found.filter(({ name }) => name.startsWith('Discover '));
  expect(atPlaces).toMatchObject([
    { name: 'Discover Green Corner', city: 'Berlin', placeCategory: placeCategoryOfType.park },
    { name: 'Discover Noodles', city: 'Berlin', placeCategory: placeCategoryOfType.restaurant },
  ]);
  for (const suggestion of atPlaces)
    expect(await withPhoton.client().getSuggestion({ params: { id: suggestion.id } })).toEqual(suggestion);
  const around = { lat: String(berlin.lat), lon: String(berlin.lng), radius: '1' };
  const others =
    'leisure:park,tourism:museum,amenity:cinema,tourism:attraction,amenity:nightclub,amenity:library';
  expect(maps.requests.map(({ path, query }) => ({ path, query }))).toEqual(
    expect.arrayContaining([
      { path: '/reverse', query: { ...around, lang: 'en', limit: '50', osm_tag: expect.any(String) } },
      { path: '/reverse', query: { ...around, lang: 'en', limit: '8', osm_tag: 'amenity:restaurant' } },
    ]),
  );
  const tags = maps.requests.flatMap(({ query }) => query.osm_tag?.split(',') ?? []);
  expect(tags.toSorted()).toEqual([...others.split(','), 'amenity:restaurant'].toSorted());
});

it('suggests templates, and places of its own data, while the external server is unavailable', async () => {
  maps.respondWith(json({ error: 'too busy' }, 503));
  expect(tasksOf(await suggestionsAt(taipei, withOverpass)).length).toBeGreaterThanOrEqual(24);
  const flushing = { lat: 40.7675, lng: -73.8331 };
  const ownPlaces = ({ locationName }: Suggestion) => locationName !== '';
  const without = (await suggestionsAt(flushing)).filter(ownPlaces);
  expect(without.length).toBeGreaterThan(0);
  expect((await suggestionsAt(flushing, withOverpass)).filter(ownPlaces)).toEqual(without);
});

it('keeps suggestions at places of its own data once the external server is available again', async () => {
  const jackson = { lat: 40.7557, lng: -73.8831 };
  maps.respondWith(json({ error: 'too busy' }, 503));
  const listed = (await suggestionsAt(jackson, withOverpass)).filter(
    ({ locationName }) => locationName !== '',
  );
  expect(listed.length).toBeGreaterThan(0);
  // An id begins with the center of its town.
  const [lat, lon] = (listed[0]?.id.split('_') ?? []).map(Number);
  maps.respondWith(
    json({
      elements: [
        { type: 'node', id: 21, lat, lon, tags: { name: 'At the Center', leisure: 'park' } },
        { type: 'node', id: 22, lat, lon, tags: { name: 'Open Shelves', amenity: 'library' } },
      ],
    }),
  );
  for (const suggestion of listed)
    expect(await withOverpass.client().getSuggestion({ params: { id: suggestion.id } })).toEqual(suggestion);
});

it('responds 503, not 404, for a suggestion at an external place while the server is unavailable', async () => {
  maps.respondWith(json({ error: 'too busy' }, 503));
  const [first] = await suggestionsAt(taipei, withOverpass);
  const town = first?.id.split('_', 2).join('_');
  const get = (key: string) => withOverpass.client().getSuggestion({ params: { id: `${town}_${key}` } });
  await expect(get('park-osm-node1')).rejects.toMatchObject({ problem: { code: 'places-unavailable' } });
  await expect(get('unknown-osm-node1')).rejects.toMatchObject({ problem: { code: 'suggestion-not-found' } });
});
