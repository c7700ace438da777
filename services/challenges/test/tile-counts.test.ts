import { localDate, type Position } from '@wayquest/contracts';
import { systemClock } from '@wayquest/platform/async';
import { newEvent } from '@wayquest/platform/bus';
import {
  eventually,
  type Network,
  newChallenge,
  newUser,
  startNetwork,
  withServiceStore,
} from '@wayquest/testing';
import { challengeModel } from '../src/challenge.model.ts';
import { createTileRecount, tileCountsModel } from '../src/tile-counts.ts';
import { boxOf, childTiles, finestTileAt, parentTile } from '../src/tiles.ts';
import { createTimeZones } from '../src/time-zones.ts';
import { startAnother } from './instances.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['challenges', 'participation', 'notifications'] });
});
afterAll(() => network?.stop());

const admin = () => network.client(network.signToken({ sub: '900001', username: 'warden', admin: true }));

const bbox = '-74.2,40.4,-73.4,41';

/** Returns the clusters of a zoom, from the stored counts and from counting challenges; both must be the same. */
async function counts(zoom: number) {
  const show = async (query: object) =>
    (await network.client().listChallengeClusters({ query: { bbox, zoom, ...query } }))
      .map(
        ({ count, city, position: { lat, lng } }) => `${count} ${city} ${lat.toFixed(6)},${lng.toFixed(6)}`,
      )
      .sort();
  // A search by text does not use the stored counts.
  return { stored: await show({ open: 'true' }), counted: await show({ open: 'true', search: 'challenge' }) };
}

const zooms = [0, 3, 6, 9, 10, 11, 12, 16, 22];

async function expectCorrectCounts() {
  for (const zoom of zooms) {
    const { stored, counted } = await counts(zoom);
    expect(stored).toEqual(counted);
  }
}

const total = async () =>
  (await network.client().listChallengeClusters({ query: { bbox, zoom: 0 } })).reduce(
    (sum, { count }) => sum + count,
    0,
  );

const scattered = (n: number) => ({ lat: 40.5 + ((n * 37) % 100) / 250, lng: -74 + ((n * 61) % 100) / 200 });

function middleOf(tile = ''): Position {
  const { west, south, east, north } = boxOf(tile);
  return { lat: (south + north) / 2, lng: (west + east) / 2 };
}

it('counts challenges that are created and deleted concurrently', async () => {
  const ann = await newUser(network);
  const difficulties = ['Easy', 'Medium', 'Hard'] as const;
  const made = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const difficulty = difficulties[n % 3] ?? 'Easy';
      return newChallenge(ann, { city: `City ${n}`, difficulty, position: scattered(n) });
    }),
  );
  await Promise.all(made.slice(0, 15).map(({ id }) => admin().deleteChallenge({ params: { id } })));
  await network.settle();
  expect(await total()).toBe(25);
  await expectCorrectCounts();
});

it('recounts tiles that another instance counted concurrently', async () => {
  const ann = await newUser(network);
  const place = { lat: 45, lng: 9 };
  const tile = finestTileAt(place);
  const neighbor = middleOf(childTiles(parentTile(tile)).find((quarter) => quarter !== tile));
  await newChallenge(ann, { position: place });
  await network.settle();
  await withServiceStore(network, 'challenges', async (store) => {
    const Tiles = tileCountsModel(store);
    await Tiles.updateMany({}, { $set: { counts: [] } });
    let writes = 0;
    // After the recount has read the second level and before it writes it, a challenge is created and counted there.
    const delayedTiles: typeof Tiles = Object.assign(Object.create(Tiles), {
      async bulkWrite(...args: Parameters<typeof Tiles.bulkWrite>) {
        if (++writes === 2) {
          await newChallenge(ann, { position: neighbor });
          await network.settle();
        }
        return Tiles.bulkWrite(...args);
      },
    });
    await createTileRecount({
      clock: systemClock,
      Tiles: delayedTiles,
      Challenges: challengeModel(store),
      timeZones: createTimeZones({ connection: store, clock: systemClock }),
    })([tile]);
  });
  const view = { bbox: '8,44,10,46', zoom: 6 };
  expect((await network.client().listChallengeClusters({ query: view })).map(({ count }) => count)).toEqual([
    2,
  ]);
});

it('counts at the start on a store without counts, such as that of an older version', async () => {
  await withServiceStore(network, 'challenges', async (store) => {
    await store.collection('migrations').deleteMany({});
    await store.collection('tile_counts').drop();
    await store.collection('time_zones').drop();
    await store.collection('challenges').updateMany({}, { $unset: { tile: 1 } });
  });
  expect(await total()).toBe(0);
  await startAnother(network);
  expect(await total()).toBe(25);
  await expectCorrectCounts();
  // In another time zone.
  const inItaly = { bbox: '8,44,10,46', zoom: 6, open: 'true' } as const;
  expect(await network.client().listChallengeClusters({ query: inItaly })).toEqual([
    expect.objectContaining({ count: 2 }),
  ]);
});

it('recounts challenges that open and close when the local date changes', async () => {
  const ann = await newUser(network);
  const inTokyo = (n: number) => ({ position: { lat: 35.6 + n / 100, lng: 139.76 } });
  const today = localDate('Asia/Tokyo', new Date());
  const day = (offset: number) =>
    new Date(Date.parse(today) + offset * 86_400_000).toISOString().slice(0, 10);
  const ends = await newChallenge(ann, inTokyo(1));
  const starts = await newChallenge(ann, { ...inTokyo(2), startDate: day(1) });
  const startsToo = await newChallenge(ann, { ...inTokyo(3), startDate: day(1) });
  await newChallenge(ann, inTokyo(4));
  await network.settle();
  const open = async () => {
    const query = { bbox: '139,35,140,36', zoom: 6, open: 'true' } as const;
    const found = await network.client().listChallengeClusters({ query });
    return found.map(({ count }) => count);
  };
  expect(await open()).toEqual([2]);
  // Moving all dates back by a day has the same effect as a day that passes.
  await withServiceStore(network, 'challenges', async (store) => {
    const challenges = store.collection<{ _id: number }>('challenges');
    await challenges.updateOne({ _id: ends.id }, { $set: { endDate: day(-1) } });
    await challenges.updateMany({ _id: { $in: [starts.id, startsToo.id] } }, { $set: { startDate: today } });
    const timeZones = store.collection<{ _id: string }>('time_zones');
    await timeZones.updateOne({ _id: 'Asia/Tokyo' }, { $set: { day: day(-1) } });
  });
  await startAnother(network);
  await eventually(async () => expect(await open()).toEqual([3]));
  await withServiceStore(network, 'challenges', (store) =>
    eventually(async () => {
      const timeZones = store.collection<{ _id: string; day: string }>('time_zones');
      expect(await timeZones.findOne({ _id: 'Asia/Tokyo' })).toMatchObject({ day: today });
    }),
  );
});

it('archives challenges that ended more than a year ago, until their creator sets new dates', async () => {
  const ann = await newUser(network);
  const bob = await newUser(network);
  const position = { lat: 37.566, lng: 126.978 };
  const today = localDate('Asia/Seoul', new Date());
  const before = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
  const [old, recent] = [
    await newChallenge(ann, { position }),
    await newChallenge(ann, { position, endDate: before(300) }),
  ];
  const endless = await newChallenge(ann, { position });
  await bob.client.joinChallenge({ body: { challengeId: old.id } });
  await network.settle();
  await withServiceStore(network, 'challenges', async (store) => {
    // Bob joined it before it ended.
    const challenges = store.collection<{ _id: number }>('challenges');
    await challenges.updateOne({ _id: old.id }, { $set: { endDate: before(400) } });
    const timeZones = store.collection<{ _id: string }>('time_zones');
    await timeZones.updateOne({ _id: 'Asia/Seoul' }, { $set: { day: before(1) } });
  });
  await startAnother(network);
  const listed = async () =>
    (await bob.client.listChallenges({ query: { scope: 'all', bbox: '126,37,127,38' } })).map(({ id }) => id);
  await eventually(async () => expect((await listed()).toSorted()).toEqual([recent.id, endless.id]));
  await network.settle();
  const query = { bbox: '126,37,127,38', zoom: 6 } as const;
  const counted = async () =>
    (await network.client().listChallengeClusters({ query })).reduce((sum, { count }) => sum + count, 0);
  await eventually(async () => expect(await counted()).toBe(2));
  // It can still be read, and nobody is notified.
  expect(await bob.client.getChallenge({ params: { id: old.id } })).toMatchObject({ status: 'archived' });
  expect(await bob.client.listNotifications({ query: {} })).toEqual([]);

  const { name, difficulty, startDate } = old;
  const fields = { name, difficulty, startDate, description: '' };
  await ann.client.updateChallenge({ params: { id: old.id }, body: { ...fields, endDate: before(399) } });
  expect(await listed()).not.toContain(old.id);
  await ann.client.updateChallenge({ params: { id: old.id }, body: { ...fields, endDate: null } });
  expect(await listed()).toContain(old.id);
});

describe('a challenge whose position is found later', () => {
  const place = { lat: 48.857, lng: 2.352 };
  const located = (challengeId: number, position = place) =>
    newEvent('challenge.located.v1', { challengeId, position });

  it('gets the first one with its time zone, and publishes it', async () => {
    const ann = await newUser(network);
    const { id } = await newChallenge(ann, { city: 'Paris' });
    const participation = await ann.client.joinChallenge({ body: { challengeId: id } });
    await network.bus.publish(located(id));
    await network.bus.publish(located(id, { lat: 1, lng: 1 }));
    await network.settle();
    const found = { position: place, timeZone: 'Europe/Paris' };
    expect(await network.client().getChallenge({ params: { id } })).toMatchObject(found);
    expect(await ann.client.listParticipations()).toEqual([
      expect.objectContaining({ id: participation.id, challenge: expect.objectContaining(found) }),
    ]);
    const view = { bbox: '2,48,3,49', zoom: 12 };
    expect(await network.client().listChallengeClusters({ query: view })).toEqual([
      expect.objectContaining({ count: 1, city: 'Paris' }),
    ]);
  });

  it('keeps a position set by its creator, and stays deleted if it was deleted', async () => {
    const ann = await newUser(network);
    const { id } = await newChallenge(ann, { position: { lat: 10, lng: 10 } });
    const deleted = await newChallenge(ann);
    await admin().deleteChallenge({ params: { id: deleted.id } });
    await network.bus.publish(located(id));
    await network.bus.publish(located(deleted.id));
    const { position, timeZone } = await network.client().getChallenge({ params: { id } });
    expect({ position, timeZone }).toEqual({ position: { lat: 10, lng: 10 }, timeZone: 'Africa/Lagos' });
    await expect(network.client().getChallenge({ params: { id: deleted.id } })).rejects.toMatchObject({
      status: 404,
    });
  });
});
