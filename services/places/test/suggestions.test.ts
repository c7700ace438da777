import { distanceInMeters, type Position, placeCategoryOfType, type Suggestion } from '@wayquest/contracts';
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
const taipei = { lat: 25.05306, lng: 121.52639 };

const suggestionsAt = ({ lat, lng }: Position, on = network, language?: 'en' | 'zh') =>
  on.client().listSuggestions({ query: { at: `${lat},${lng}`, ...(language && { language }) } });
const metersFrom = (at: Position) => (suggestion: Suggestion) => distanceInMeters(at, suggestion.position);

it.each(['Berlin', 'Taipei', 'São Paulo'])(
  'suggests challenges within a kilometer of the center of %s, nearest first',
  async (city) => {
    const [town] = await network.client().searchPlaces({ query: { text: city } });
    const center = town?.position ?? { lat: 0, lng: 0 };
    const found = await suggestionsAt(center);
    expect(found.length).toBeGreaterThanOrEqual(6);
    expect(found.every((suggestion) => metersFrom(center)(suggestion) < 1_000)).toBe(true);
    expect(found.every((suggestion) => suggestion.city === city && suggestion.name.includes(city))).toBe(
      true,
    );
    const distances = found.map(metersFrom(center));
    expect(distances).toEqual(distances.toSorted((one, other) => one - other));
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    expect(found.every(({ description }) => description.endsWith('Stay on public ground.'))).toBe(true);
  },
);

it('suggests the same challenges everywhere in a town, with stable ids, also in Chinese', async () => {
  const inTown = await suggestionsAt({ lat: berlin.lat + 0.004, lng: berlin.lng });
  const inCenter = await suggestionsAt(berlin);
  const byId = (found: Suggestion[]) => found.toSorted((one, other) => one.id.localeCompare(other.id));
  expect(byId(inTown)).toEqual(byId(inCenter));
  for (const suggestion of inCenter)
    expect(await network.client().getSuggestion({ params: { id: suggestion.id } })).toEqual(suggestion);
  const inChinese = await suggestionsAt(berlin, network, 'zh');
  expect(inChinese.map(({ id }) => id)).toEqual(inCenter.map(({ id }) => id));
  expect(inChinese.every(({ name }) => /\p{Script=Han}/u.test(name))).toBe(true);
  expect(inChinese.every(({ description }) => description.endsWith('请只走公共场所，不要进私人院子。'))).toBe(
    true,
  );
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
  expect(await suggestionsAt(taipei, withOverpass)).toHaveLength(6);
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
