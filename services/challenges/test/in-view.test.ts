import { type Client, type Difficulty, distanceInMeters, localDate } from '@wayquest/contracts';
import {
  monitoredStoreUrl,
  type Network,
  newChallenge,
  newUser,
  recordCommands,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';

let network: Network;
/** Commands that the challenges service has sent to its store. */
let commands: ReturnType<typeof recordCommands>;
beforeAll(async () => {
  network = await startNetwork({ services: ['challenges', 'participation'], mongo: monitoredStoreUrl() });
  commands = recordCommands(`${network.databasePrefix}_challenges`);
});
afterAll(() => network?.stop());

const visitor = () => network.client();
const at = (lat: number, lng: number) => ({ position: { lat, lng } });

describe('a box', () => {
  const places: [string, number, number][] = [
    ['on the southern edge of a wide box', 40, -50],
    ['just south of it', 39.999999, -50],
    ['on its northern edge', 60, -50],
    ['just north of it', 60.000001, -50],
    ['on the equator', 0, 10],
    ['at the north pole', 90, 33],
    ['at the south pole', -90, 33],
    ['east of the antimeridian', -17, -179.5],
    ['west of the antimeridian', -17, 179.5],
    ['on it', -17, 180],
    ['far south', -54.8, -68.3],
  ];

  let maker: TestUser;
  beforeAll(async () => {
    maker = await newUser(network);
    for (const [name, lat, lng] of places) await newChallenge(maker, { name, ...at(lat, lng) });
  });

  const namesIn = async (bbox: string, client: Client) =>
    (await client.listChallenges({ query: { bbox } })).map(({ name }) => name).reverse();

  it.each([
    ['-120,40,20,60', ['on the southern edge of a wide box', 'on its northern edge']],
    ['-60,39.9999999,-40,60', ['on the southern edge of a wide box', 'on its northern edge']],
    ['-60,40,-50,60', ['on the southern edge of a wide box', 'on its northern edge']],
    ['-50,40,-10,60', ['on the southern edge of a wide box', 'on its northern edge']],
    ['0,80,180,90', ['at the north pole']],
    ['-180,-90,180,-89', ['at the south pole']],
    ['179,-18,-179,-16', ['east of the antimeridian', 'west of the antimeridian', 'on it']],
    ['179.6,-18,-179,-16', ['east of the antimeridian', 'on it']],
    ['170,-60,-60,0', ['east of the antimeridian', 'west of the antimeridian', 'on it', 'far south']],
    ['-180,-90,180,90', places.map(([name]) => name)],
    ['20,-90,19,90', places.map(([name]) => name)],
    ['10,0,10,0', ['on the equator']],
    ['33,90,33,90', ['at the north pole']],
    ['10.000001,0,10.000001,0', []],
  ])('%s contains exactly the challenges in it', async (bbox, names) => {
    expect(await namesIn(bbox, visitor())).toEqual(names);
    // For a user's own challenges, another index is used.
    expect(await namesIn(bbox, maker.client)).toEqual(names);
  });

  it('continues with its next page', async () => {
    const first = await fetch(`${network.url}/api/challenges/?bbox=179,-18,-179,-16&limit=2`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
    const second: unknown = await (await fetch(network.url + next)).json();
    expect(second).toEqual([expect.objectContaining({ name: 'east of the antimeridian' })]);
  });
});

describe('scope and dates', () => {
  const namesFor = async (client: Client, query: object) =>
    (await client.listChallenges({ query: { bbox: '30,10,40,20', ...query } })).map(({ name }) => name);

  it('returns the challenges that a member has joined and not left', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    for (const name of ['joined', 'left', 'neither']) {
      const { id } = await newChallenge(ann, { name, ...at(15, 35) });
      if (name === 'neither') continue;
      const participation = await bob.client.joinChallenge({ body: { challengeId: id } });
      if (name === 'left') await bob.client.leaveChallenge({ params: { id: participation.id } });
    }
    await network.settle();
    expect(await namesFor(bob.client, { scope: 'joined' })).toEqual(['joined']);
    expect(await namesFor(ann.client, { scope: 'joined' })).toEqual([]);
    await expect(namesFor(visitor(), { scope: 'joined' })).rejects.toMatchObject({ status: 401 });
  });

  it('decides by the time zone of each place which are open today', async () => {
    const ann = await newUser(network);
    // The first two are more than a day apart: it is never the same day in both.
    const zones = { Kiritimati: at(1.87, -157.4), Midway: at(28.2, -177.37), Nairobi: at(-1.29, 36.82) };
    const search = `Open (${ann.me.id})`;
    for (const [city, place] of Object.entries(zones)) {
      const { timeZone } = await newChallenge(ann, { name: 'to learn the zone', ...place });
      const today = localDate(timeZone, new Date());
      const day = (offset: number) =>
        new Date(Date.parse(today) + offset * 86_400_000).toISOString().slice(0, 10);
      const dates: [string, string | null, string | null][] = [
        ['always', null, null],
        ['today', today, today],
        ['since today', today, null],
        ['until yesterday', null, day(-1)],
        ['from tomorrow', day(1), null],
      ];
      for (const [when, startDate, endDate] of dates) {
        await newChallenge(ann, { name: `${search} ${city} ${when}`, startDate, endDate, ...place });
      }
    }
    const open = await visitor().listChallenges({ query: { search, open: 'true' } });
    expect(open.map(({ name }) => name.slice(search.length + 1)).sort()).toEqual(
      Object.keys(zones)
        .flatMap((city) => [`${city} always`, `${city} since today`, `${city} today`])
        .sort(),
    );
    // Without a search only the index on time zones remains. It has to serve the query although there are two dates.
    for (const query of [
      'open=true',
      'phase=open',
      'phase=upcoming',
      'phase=ended',
      'phase=current',
      'sort=ending',
    ]) {
      const reply = await fetch(`${network.url}/api/challenges/?scope=all&${query}&total=true&limit=1`);
      expect([query, reply.status]).toEqual([query, 200]);
      expect(Number(reply.headers.get('x-total-count'))).toBeGreaterThanOrEqual(Object.keys(zones).length);
    }
  });
});

describe('clusters', () => {
  const clusters = (query: { bbox: string; zoom: number } & Record<string, unknown>, client = visitor()) =>
    client.listChallengeClusters({ query });
  const bbox = '74.95,-25.05,75.45,-24.65';

  // Two challenges a street apart, one in the next village, one in another town.
  beforeAll(async () => {
    const ann = await newUser(network);
    const places: [string, number, number, Difficulty][] = [
      ['Older', -25, 75, 'Easy'],
      ['Newer', -25.002, 75.004, 'Hard'],
      ['Near', -25.02, 75.02, 'Easy'],
      ['Far', -24.7, 75.4, 'Easy'],
    ];
    for (const [city, lat, lng, difficulty] of places) {
      const locationName = city === 'Near' ? 'The old bridge' : '';
      await newChallenge(ann, { city, difficulty, locationName, ...at(lat, lng) });
    }
    await network.settle();
  });

  it('group nearby challenges at a zoom', async () => {
    const counts = async (zoom: number, view = bbox) =>
      (await clusters({ bbox: view, zoom })).map(({ city, count }) => `${city} ${count}`).sort();
    expect(await counts(2)).toEqual(['Far 4']);
    expect(await counts(8)).toEqual(['Far 1', 'Near 3']);
    expect(await counts(11)).toEqual(['Far 1', 'Near 1', 'Newer 2']);
    expect(await counts(22, '74.99,-25.03,75.03,-24.99')).toEqual(['Near 1', 'Newer 1', 'Older 1']);
  });

  it('name the kind of place of a single challenge', async () => {
    const placeCategories = (await clusters({ bbox, zoom: 11 })).map(({ city, placeCategory }) => [
      city,
      placeCategory,
    ]);
    expect(Object.fromEntries(placeCategories)).toEqual({
      Far: 'attraction',
      Near: 'bridge',
      Newer: undefined,
    });
  });

  it('are larger than requested if a view would contain too many of them', async () => {
    const counts = (await clusters({ bbox: '70,-30,80,-20', zoom: 22 })).map(({ count }) => count).sort();
    expect(counts).toEqual([1, 3]);
  });

  it('are returned for both sides of the antimeridian', async () => {
    const view = { bbox: '179,-18,-179,-16', zoom: 3 };
    const counts = async (query: object = {}) =>
      (await clusters({ ...view, ...query })).map(({ count }) => count).sort();
    expect(await counts()).toEqual([1, 2]);
    expect(await counts({ search: 'of the antimeridian' })).toEqual([1, 1]);
  });

  it('are centered on their challenges, within the box to zoom to', async () => {
    const [pair] = (await clusters({ bbox, zoom: 11 })).filter(({ count }) => count === 2);
    if (!pair) throw new Error('there is no pair');
    const { position, bbox: box } = pair;
    expect(position.lat).toBeCloseTo(-25.001, 9);
    expect(position.lng).toBeCloseTo(75.002, 9);
    expect([box.west < 75, box.east > 75.004, box.north > -25, box.south < -25.002]).not.toContain(false);
    const closer = [box.west, box.south, box.east, box.north].join();
    expect(await visitor().listChallenges({ query: { bbox: closer } })).toHaveLength(2);
  });

  it('are counted in square tiles that reach to the edge of the map', async () => {
    const ann = await newUser(network);
    await newChallenge(ann, at(0.01, 30.01));
    await newChallenge(ann, at(-0.01, 180));
    await network.settle();
    const [inAfrica] = await clusters({ bbox: '30,0,30.02,0.02', zoom: 11 });
    const { west, south, east, north } = inAfrica?.bbox ?? { west: 0, south: 0, east: 0, north: 0 };
    expect(north - south).toBeCloseTo(east - west, 6);
    const [last] = await clusters({ bbox: '179.9,-0.1,180,0', zoom: 11 });
    expect([last?.count, last?.bbox.east]).toEqual([1, 180]);
  });

  it('count whole tiles, also at the edge of the view', async () => {
    const view = { bbox: '74.999,-25.001,75.001,-24.999', zoom: 11 };
    expect((await clusters(view)).map(({ count }) => count)).toEqual([2]);
    expect((await clusters({ ...view, open: 'true' })).map(({ count }) => count)).toEqual([2]);
  });

  it('apply the filters of the list', async () => {
    const ann = await newUser(network);
    const { id } = await newChallenge(ann, { city: 'Mine', ...at(-25, 75) });
    await network.settle();
    const citiesOf = async (query: Record<string, unknown>, client = ann.client) =>
      (await clusters({ bbox, zoom: 8, ...query }, client))
        .map(({ city, count }) => `${city} ${count}`)
        .sort();
    expect(await citiesOf({})).toEqual(['Mine 1']);
    expect(await citiesOf({ scope: 'all' })).toEqual(['Far 1', 'Mine 4']);
    expect(await citiesOf({ scope: 'all', difficulty: 'hard' })).toEqual(['Newer 1']);
    expect(await citiesOf({ scope: 'all', search: 'near' })).toEqual(['Near 1']);
    expect(await citiesOf({ scope: 'all', open: 'true', difficulty: 'Easy' })).toEqual(['Far 1', 'Mine 3']);
    expect(await citiesOf({ scope: 'joined' })).toEqual([]);
    await expect(citiesOf({ scope: 'joined' }, visitor())).rejects.toMatchObject({ status: 401 });

    const admin = network.client(network.signToken({ sub: '900001', username: 'warden', admin: true }));
    await admin.deleteChallenge({ params: { id } });
    await network.settle();
    expect(await citiesOf({ scope: 'all' })).toEqual(['Far 1', 'Near 3']);
  });

  it.each([
    'zoom=5',
    'bbox=1,1,2,2',
    'bbox=1,1,2,2&zoom=23',
    'bbox=1,1,2,2&zoom=x',
    'bbox=1,1,2,2&zoom=1&open=1',
  ])('reject %s', async (query) => {
    expect((await fetch(`${network.url}/api/challenges/clusters?${query}`)).status).toBe(400);
  });
});

describe('a view', () => {
  const bbox = '150,-40,150.3,-39.8';
  const view = (query: object = {}, client = visitor()) =>
    client.viewChallenges({ query: { bbox, zoom: 11, ...query } });
  const total = ({ clusters }: { clusters: { count: number }[] }) =>
    clusters.reduce((sum, { count }) => sum + count, 0);

  let maker: TestUser;
  const scatter = async (count: number, changes: Parameters<typeof newChallenge>[1] = {}) => {
    await Promise.all(
      Array.from({ length: count }, (_, n) =>
        newChallenge(maker, { ...at(-39.9 + (n % 10) / 200, 150.1 + n / 1_000), ...changes }),
      ),
    );
    await network.settle();
  };

  /**
   * Returns the number of store commands of a call, and the highest limit of documents. Ignores reads of the time zones,
   * which a periodic task repeats every minute.
   */
  async function costOf(call: () => Promise<unknown>) {
    // Earlier tests may have pending events.
    await network.settle();
    commands.length = 0;
    await call();
    const sent = commands.map(({ command }) => command).filter(({ find }) => find !== 'time_zones');
    return { commands: sent.length, maxLimit: Math.max(...sent.map(({ limit }) => Number(limit ?? 0))) };
  }

  beforeAll(async () => {
    maker = await newUser(network);
    await scatter(100, { difficulty: 'Easy' });
  });

  it('returns up to 100 challenges individually, without clusters', async () => {
    const { challenges, clusters } = await view();
    expect([challenges.length, clusters]).toEqual([100, []]);
    const listed = await visitor().listChallenges({ query: { bbox } });
    expect(challenges).toEqual(listed);
    expect(await view({ bbox: '150.4,-40,150.5,-39.8' })).toEqual({ challenges: [], clusters: [] });
  });

  it('returns the newest 100 of more challenges, and clusters of all; at a higher zoom all individually', async () => {
    await scatter(1, { difficulty: 'Hard', name: 'One too many' });
    const many = await view();
    expect(many.challenges).toHaveLength(100);
    expect(many.challenges[0]?.name).toBe('One too many');
    expect(many.clusters).toEqual(await visitor().listChallengeClusters({ query: { bbox, zoom: 11 } }));
    expect(total(many)).toBe(101);

    const close = await view({ zoom: 17 });
    expect([close.challenges.length, close.clusters]).toEqual([101, []]);
  });

  it('returns the nearest to a position in it, if there are more than it can show', async () => {
    const here = { lat: -39.9, lng: 150.1 };
    const near = `${here.lat},${here.lng}`;
    const away = ({ position }: { position: { lat: number; lng: number } | null }) =>
      position ? distanceInMeters(here, position) : Number.NaN;
    const found = await view({ near });
    const distances = found.challenges.map(away);
    expect(distances).toHaveLength(100);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    expect(found.challenges.map(({ name }) => name)).toContain('One too many');
    const all = await visitor().listChallenges({ query: { bbox } });
    expect(Math.max(...all.map(away))).toBeGreaterThan(Math.max(...distances));
    expect(total(found)).toBe(101);
    expect(await view({ near: '40,-3' })).toEqual(await view());
  });

  it('applies the filters', async () => {
    const filtered = async (query: object, client = visitor()) => {
      const { challenges, clusters } = await view(query, client);
      return [challenges.length, clusters.length];
    };
    expect(await filtered({ difficulty: 'Hard' })).toEqual([1, 0]);
    expect(await filtered({ difficulty: 'Easy', open: 'true' })).toEqual([100, 0]);
    expect(await filtered({ search: 'too many' })).toEqual([1, 0]);
    expect(await filtered({ scope: 'joined' }, maker.client)).toEqual([0, 0]);
    expect((await filtered({ scope: 'mine' }, maker.client))[0]).toBe(100);
    await expect(view({ scope: 'joined' })).rejects.toMatchObject({ status: 401 });
  });

  it('needs four store commands, and reads at most one challenge more than it returns', async () => {
    expect(await costOf(() => view())).toEqual({ commands: 4, maxLimit: 101 });
    expect(await costOf(() => view({ difficulty: 'Hard', open: 'true' }))).toEqual({
      commands: 3,
      maxLimit: 101,
    });
    expect(await costOf(() => visitor().listChallenges({ query: { bbox } }))).toEqual({
      commands: 3,
      maxLimit: 500,
    });
  });

  it.each(['zoom=5', 'bbox=1,1,2,2', 'bbox=1,1,2,2&zoom=23'])('rejects %s', async (query) => {
    expect((await fetch(`${network.url}/api/challenges/view?${query}`)).status).toBe(400);
  });
});
