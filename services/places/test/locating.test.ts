import type { ChallengeDetails, NewChallenge } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { requestReplicaRebuild } from '@wayquest/platform/service';
import {
  eventually,
  type Network,
  newChallenge,
  newUser,
  startIsolatedService,
  startNetwork,
  type TestUser,
  withServiceStore,
} from '@wayquest/testing';
import { createPlacesService } from '../src/index.ts';
import { json, type MapServers, nominatimHouse, startMapServers } from './map-servers.ts';

let maps: MapServers;
let network: Network;
let ann: TestUser;
beforeAll(async () => {
  maps = await startMapServers();
  network = await startNetwork({
    settings: {
      PLACES_GEOCODER: 'nominatim',
      NOMINATIM_URL: maps.url,
      PLACES_CONTACT: 'maps@wayquest.example',
      PLACES_REQUESTS_PER_SECOND: '1000',
    },
    places: { timeoutMs: 1_000, preload: true },
  });
  ann = await newUser(network);
});
afterAll(async () => {
  await network?.stop();
  await maps?.stop();
});

/** Creates a challenge; returns its position after all events were handled. */
async function positionOf(changes: Partial<NewChallenge>) {
  const { id } = await newChallenge(ann, changes);
  await network.settle();
  return (await ann.client.getChallenge({ params: { id } })).position;
}

const challengeAt = (
  streetAddress: string,
  { id, creatorId }: { id: number; creatorId: number },
): ChallengeDetails => ({
  ...{ id, name: 'A garden', description: '', difficulty: 'Easy', points: 10 },
  ...{ locationName: '', streetAddress, ...flushing, position: null, startDate: null, endDate: null },
  ...{ timeZone: 'America/New_York', creator: { id: creatorId, username: `maker-${creatorId}` } },
  createdAt: new Date().toISOString(),
});

const museum = { lat: 40.7459, lng: -73.8467 };
const house = { lat: 40.7607, lng: -73.8301 };
const flushing = { city: 'Flushing', state: 'NY', zip: '11354' };

it.each([
  ['its name and town', { locationName: 'queens museum', city: 'Corona', state: 'NY' }, museum],
  ['its name and the name of its borough', { locationName: 'Queens Museum', city: 'Queens' }, museum],
  ['its name and postal code', { locationName: 'Queens Museum', zip: '11368' }, museum],
  [
    'its street address',
    { streetAddress: '41-17 Main Street', ...flushing },
    { lat: 40.7579, lng: -73.8289 },
  ],
])('finds a known place by %s, without an external service', async (_how, changes, position) => {
  maps.respondWith(json([nominatimHouse()]));
  expect(await positionOf(changes)).toEqual(position);
  expect(maps.requests).toEqual([]);
});

it.each([
  ['in another town', { locationName: 'Queens Museum', city: 'Boston', state: 'MA' }],
  ['without a town', { locationName: 'Queens Museum' }],
  ['with only a town', { city: 'Flushing', state: 'NY' }],
  ['with only a postal code', { zip: '11354' }],
  ['that is unknown', { locationName: 'My garden', ...flushing }],
  [
    'whose address contains several known places',
    { streetAddress: 'Flushing Meadows Corona Park', city: 'Corona' },
  ],
])('leaves a place %s without a position', async (_what, changes) => {
  maps.respondWith(json([]));
  expect(await positionOf(changes)).toBeNull();
});

it('looks an address up once for several challenges', async () => {
  maps.respondWith(json([nominatimHouse()]));
  const address = { streetAddress: '136-20 38th Ave', ...flushing };
  expect(await positionOf(address)).toEqual(house);
  expect(await positionOf({ ...address, streetAddress: '136-20 38th Avenue' })).toEqual(house);
  expect(maps.requests).toMatchObject([
    { path: '/search', query: { q: '136-20 38th Ave, Flushing, NY 11354', limit: '1' } },
  ]);
});

it.each([
  ['a result in another town', nominatimHouse(), { city: 'Boston', state: 'MA' }],
  ['a result without a street', nominatimHouse({ road: '' }), flushing],
])('does not use %s', async (_what, found, town) => {
  maps.respondWith(json([found]));
  expect(await positionOf({ streetAddress: `${maps.url.length} Elm St`, ...town })).toBeNull();
  expect(maps.requests).toHaveLength(1);
});

it.each([
  ['Paris', '', '75001', { lat: 48.86, lng: 2.34 }],
  ['Paris', 'Île-de-France', '75001', { lat: 48.86, lng: 2.34 }],
  ['Madrid', '', '28001', { lat: 40.42, lng: -3.69 }],
  ['Berlin', 'Berlin', '10115', { lat: 52.53, lng: 13.38 }],
  ['Munich', 'Bavaria', '80331', { lat: 48.14, lng: 11.57 }],
  ['München', 'Bayern', '', { lat: 48.14, lng: 11.57 }],
  ['München', 'Germany', '80331', { lat: 48.14, lng: 11.57 }],
  ['Toronto', 'Ontario', 'M5H 2N2', { lat: 43.65, lng: -79.38 }],
])('uses what a geocoder found in %s, %s %s (Q8)', async (city, state, zip, { lat, lng }) => {
  maps.respondWith(json([{ ...nominatimHouse(), lat: String(lat), lon: String(lng) }]));
  expect(
    await positionOf({ streetAddress: `${city.length}${zip} ${state} Elm St`, city, state, zip }),
  ).toEqual({
    lat,
    lng,
  });
});

it.each([
  ['Berlin', 'Berlin', '10115', { lat: 40.8, lng: -73.96 }],
  ['Paris', 'TX', '75460', { lat: 48.86, lng: 2.34 }],
  ['München', 'Germany', '80331', { lat: 40.8, lng: -73.96 }],
])(
  'does not use what a geocoder found elsewhere for %s, %s %s (Q8)',
  async (city, state, zip, { lat, lng }) => {
    maps.respondWith(json([{ ...nominatimHouse(), lat: String(lat), lon: String(lng) }]));
    expect(await positionOf({ streetAddress: `7${zip} ${state} Oak St`, city, state, zip })).toBeNull();
  },
);

it('keeps the position that a challenge was created with', async () => {
  const position = { lat: 40.5, lng: -73.9 };
  expect(await positionOf({ position, locationName: 'Queens Museum', city: 'Corona' })).toEqual(position);
});

it('retries when the geocoder is available again', async () => {
  maps.respondWith(json({ error: 'too busy' }, 503));
  const { id } = await newChallenge(ann, { streetAddress: '200-01 Oak Ave', ...flushing });
  maps.respond = json([nominatimHouse()]);
  await network.settle();
  expect((await ann.client.getChallenge({ params: { id } })).position).toEqual(house);
});

it('locates challenges from a replayed snapshot that it could not locate before', async () => {
  maps.respondWith(json([]));
  const { id } = await newChallenge(ann, { streetAddress: '300-01 Ash Ave', ...flushing });
  await network.settle();
  maps.respondWith(json([nominatimHouse()]));
  await withServiceStore(network, 'places', async (connection) => {
    await connection.collection('cached_responses').deleteMany({});
    await requestReplicaRebuild(connection, 'places');
    await eventually(async () => maps.requests.length > 0);
  });
  await network.settle();
  expect((await ann.client.getChallenge({ params: { id } })).position).toEqual(house);
});

it('alternates between accounts, however many addresses one of them has', async () => {
  const places = await startIsolatedService({
    service: 'places',
    create: (deps) =>
      createPlacesService({
        ...deps,
        preload: true,
        outside: {
          geocoder: { kind: 'nominatim', url: maps.url },
          contact: 'maps@wayquest.example',
          requestsPerSecond: 1,
        },
      }),
  });
  maps.respondWith(json([]));
  const deliver = (id: number, creatorId: number) =>
    places.deliver(
      newEvent('challenge.created.v1', {
        challenge: challengeAt(`${id} Cherry Avenue`, { id, creatorId }),
        version: 1,
      }),
    );
  const leaks: Error[] = [];
  const recordWarning = (warning: Error) => {
    if (warning.name === 'MaxListenersExceededWarning') leaks.push(warning);
  };
  process.on('warning', recordWarning);
  try {
    let rejected = 0;
    for (let id = 100; id < 120; id += 1)
      deliver(id, 1).catch(() => {
        rejected += 1;
      });
    await deliver(500, 2);
    const queries = maps.requests.map(({ query }) => query.q ?? '');
    // Some requests were sent before its event arrived: one a second, so that a slow machine has time for it.
    expect(queries.findIndex((q) => q.startsWith('500'))).toBeLessThan(8);
    expect(rejected).toBeGreaterThanOrEqual(5);
    expect(leaks).toEqual([]);
  } finally {
    process.off('warning', recordWarning);
    await places.stop();
  }
});
