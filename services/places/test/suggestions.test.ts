import { metresBetween, type Position, placeTypes, type Suggestion } from '@wayquest/contracts';
import { type Network, startNetwork } from '@wayquest/testing';
import { json, type MapServers, startMapServers } from './map-servers.ts';

let maps: MapServers;
let network: Network;
let asking: Network;
beforeAll(async () => {
  maps = await startMapServers();
  network = await startNetwork({ places: { readAhead: true } });
  asking = await startNetwork({
    settings: {
      PLACES_CONTACT: 'maps@wayquest.example',
      PLACES_REQUESTS_PER_SECOND: '1000',
      OVERPASS_URL: `${maps.url}/interpreter`,
    },
    places: { timeoutMs: 2_000, turnTimeoutMs: 60_000, readAhead: true },
  });
});
afterAll(async () => {
  await network?.stop();
  await asking?.stop();
  await maps?.stop();
});

const berlin = { lat: 52.52437, lng: 13.41053 };
const taipei = { lat: 25.05306, lng: 121.52639 };

const suggestionsAt = ({ lat, lng }: Position, on = network, language?: 'en' | 'zh') =>
  on.client().listSuggestions({ query: { at: `${lat},${lng}`, ...(language && { language }) } });
const metersFrom = (at: Position) => (suggestion: Suggestion) => metresBetween(at, suggestion.position);

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
  },
);

it('suggests the same to everybody in a town, with stable ids, also in Chinese', async () => {
  const inTown = await suggestionsAt({ lat: berlin.lat + 0.004, lng: berlin.lng });
  const inCenter = await suggestionsAt(berlin);
  const byId = (found: Suggestion[]) => found.toSorted((one, other) => one.id.localeCompare(other.id));
  expect(byId(inTown)).toEqual(byId(inCenter));
  for (const suggestion of inCenter)
    expect(await network.client().getSuggestion({ params: { id: suggestion.id } })).toEqual(suggestion);
  const inChinese = await suggestionsAt(berlin, network, 'zh');
  expect(inChinese.map(({ id }) => id)).toEqual(inCenter.map(({ id }) => id));
  expect(inChinese.every(({ name }) => /\p{Script=Han}/u.test(name))).toBe(true);
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

it('suggests named places if there are any', async () => {
  maps.willAnswer(
    json({
      elements: [
        { type: 'node', id: 7, lat: berlin.lat + 0.002, lon: berlin.lng, tags: { name: 'Green Corner' } },
        { type: 'node', id: 8, lat: berlin.lat + 0.02, lon: berlin.lng, tags: { name: 'Too Far' } },
      ],
    }),
  );
  const found = await suggestionsAt(berlin, asking);
  const names = found.map(({ name }) => name);
  expect(names).toContain('Discover Green Corner');
  expect(names).not.toContain('Discover Too Far');
  const atPlaces = found.filter(({ name }) => name === 'Discover Green Corner');
  // One for each type of place that is asked for in this town.
  expect(atPlaces).toHaveLength(2);
  for (const suggestion of atPlaces) {
    expect(suggestion).toMatchObject({ locationName: 'Green Corner', city: 'Berlin' });
    expect(await asking.client().getSuggestion({ params: { id: suggestion.id } })).toEqual(suggestion);
  }
});

it('suggests templates while named places are unavailable', async () => {
  maps.willAnswer(json({ error: 'too busy' }, 503));
  const found = await suggestionsAt(taipei, asking);
  expect(found).toHaveLength(6);
  const [first] = found;
  const ids = placeTypes.map((type) => `${first?.id.split('_', 2).join('_')}_${type}-osm-node1`);
  const answers = await Promise.allSettled(
    ids.map((id) => asking.client().getSuggestion({ params: { id } })),
  );
  const codes = answers.map((answer) => answer.status === 'rejected' && answer.reason.problem.code);
  expect(codes.filter((code) => code === 'places-unavailable')).toHaveLength(2);
  expect(codes.filter((code) => code === 'suggestion-not-found')).toHaveLength(5);
});
