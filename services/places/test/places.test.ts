import { type Network, newUser, startNetwork } from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'places'], places: { preload: true } });
});
afterAll(() => network?.stop());

/** The initial center of the map. */
const home = '40.76,-73.82';

const search = (text: string, near = home) => network.client().searchPlaces({ query: { text, near } });
const namesFor = async (text: string, near = home) => (await search(text, near)).map(({ name }) => name);

describe('searching', () => {
  it.each([
    ['11354', { name: '11354', city: 'Flushing', state: 'NY', zip: '11354', type: null }],
    ['Flushing', { name: 'Flushing', city: 'Flushing', state: 'NY', type: null }],
    ['flushing ny', { name: 'Flushing', state: 'NY' }],
    ['Flushing, New York', { name: 'Flushing', state: 'NY' }],
    ['Queens Museum', { name: 'Queens Museum', type: 'museum', city: 'Corona', zip: '11368' }],
    ['queens mus', { name: 'Queens Museum' }],
    ['41-17 Main Street', { name: 'Queens Public Library at Flushing' }],
    ['St Albans', { name: 'Saint Albans', state: 'NY' }],
    ['136-20 38th Ave Flushing', { name: 'Flushing', state: 'NY' }],
    ['136-20 38th Ave, Flushing, NY 11354', { name: '11354' }],
    ['Flushing NY 11350', { name: 'Flushing', state: 'NY' }],
    ['san francisco', { name: 'San Francisco', state: 'CA' }],
    ['Paris, France', { name: 'Paris', vicinity: 'France', state: '' }],
    ['zürich', { name: 'Zürich' }],
    ['zurich', { name: 'Zürich' }],
  ])('recognizes %s', async (text, expected) => {
    expect((await search(text))[0]).toMatchObject(expected);
  });

  it.each([
    ['lodz', 'Łódź'],
    ['tromso', 'Tromsø'],
    ['giessen', 'Gießen'],
    ['Giessen, Germany', 'Gießen'],
  ])('finds the town %s for %s', async (text, name) => {
    expect((await search(text))[0]).toMatchObject({ name });
  });

  it.each([
    ['Queens Museum', true],
    ['museum, QUEENS', true],
    ['41-17 Main Street', true],
    ['Flushing, New York', true],
    ['Flushing NY 11354', true],
    ['Paris, France', true],
    ['queens mus', false],
    ['221B Baker Street London', false],
    ['136-20 38th Ave Flushing', false],
    ['1 2 3 4 5 6 7 8 Flushing', false],
  ])('reports whether the best match for %s has all of its words: %s', async (text, matchesAll) => {
    expect((await search(text))[0]).toMatchObject({ matchesAll });
  });

  it('returns nothing for a text without words, and at most eight places otherwise', async () => {
    expect(await search('zzzzzz')).toEqual([]);
    expect(await search('q')).toEqual([]);
    expect(await search('...')).toEqual([]);
    expect(await search('park')).toHaveLength(8);
  });

  it('prefers nearby places, by default near the initial center of the map', async () => {
    const astoria = async (near?: string) =>
      (await network.client().searchPlaces({ query: { text: 'Astoria', ...(near && { near }) } }))[0];
    expect(await astoria('46.2,-123.8')).toMatchObject({ state: 'OR' });
    expect(await astoria(home)).toMatchObject({ state: 'NY' });
    expect(await astoria()).toMatchObject({ state: 'NY' });
  });

  it('lists places in a town and the town', async () => {
    expect(await namesFor('Astoria')).toEqual(expect.arrayContaining(['Astoria', 'Astoria Park']));
  });

  it.each([
    'text=',
    'text=%20',
    `text=${'x'.repeat(161)}`,
    'near=40,-73',
    'text=a&near=91,0',
    'text=a&text=b',
  ])('rejects %s', async (query) => {
    expect((await fetch(`${network.url}/api/places/search?${query}`)).status).toBe(400);
  });
});

describe('the address of a point', () => {
  const at = (position: string) => network.client().reversePlace({ query: { at: position } });

  it.each([
    ['40.7684,-73.8275', { city: 'Flushing', state: 'NY', zip: '11354', label: 'Flushing, NY 11354' }],
    [
      '40.7579,-73.8289',
      { streetAddress: '41-17 Main St', zip: '11355', label: '41-17 Main St, Flushing, NY 11355' },
    ],
    // This point also belongs to postal codes of P.O. boxes, which are not its address.
    ['40.6514,-73.8708', { city: 'Brooklyn', zip: '11239' }],
    ['37.7793,-122.4193', { city: 'San Francisco', state: 'CA', zip: '94102' }],
    ['48.857,2.352', { city: 'Paris', state: '', zip: '', label: 'Paris' }],
    ['42.317,-83.035', { city: 'Windsor', zip: '' }],
  ])('at %s is as precise as possible', async (position, expected) => {
    expect(await at(position)).toMatchObject(expected);
  });

  it.each(['40.0,-70.0', '0,-140', '-89.9,12', '0,180'])('is unknown at sea, at %s', async (position) => {
    await expect(at(position)).rejects.toMatchObject({ status: 404, problem: { code: 'address-not-found' } });
  });
});

describe('places of a kind', () => {
  const nearby = (query: { type: 'park' | 'museum' | 'library'; radius?: string; at?: string }) =>
    network.client().nearbyPlaces({ query: { at: home, ...query } });

  it('are sorted by distance, all of the kind, at most sixty', async () => {
    const libraries = await nearby({ type: 'library' });
    expect(libraries[0]).toMatchObject({ name: 'Queens Public Library at Flushing', type: 'library' });
    expect(libraries.length).toBeGreaterThan(20);
    expect(libraries.length).toBeLessThanOrEqual(60);
    expect(new Set(libraries.map(({ type }) => type))).toEqual(new Set(['library']));
  });

  it('are within the radius', async () => {
    const names = (await nearby({ type: 'library', radius: '1300' })).map(({ name }) => name);
    expect(names).toEqual([
      'Queens Public Library at Flushing',
      'Queens Public Library at McGoldrick',
      'Queens Public Library at Mitchell-Linden',
    ]);
    expect(await nearby({ type: 'park', at: '48.857,2.352' })).toEqual([]);
  });

  it.each(['type=bank&at=40,-73', 'type=park', 'type=park&at=40', 'type=park&at=40,-73&radius=50001'])(
    'are rejected for %s',
    async (query) => {
      expect((await fetch(`${network.url}/api/places/nearby?${query}`)).status).toBe(400);
    },
  );
});

describe('responses', () => {
  it('can be cached by browsers for a while', async () => {
    const response = await fetch(`${network.url}/api/places/search?text=Flushing`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  });
});

describe('the limit of calls', () => {
  let limited: Network;
  beforeAll(async () => {
    limited = await startNetwork({
      services: ['auth', 'users', 'places'],
      places: { callLimit: { max: 3, seconds: 60 } },
    });
  });
  afterAll(() => limited?.stop());

  it('counts each member separately, and visitors by network', async () => {
    const call = (client = limited.client()) => client.nearbyPlaces({ query: { type: 'park', at: home } });
    const [ann, bob] = await Promise.all([newUser(limited), newUser(limited)]);
    for (let i = 0; i < 3; i++) await call(ann.client);
    await expect(call(ann.client)).rejects.toMatchObject({
      status: 429,
      problem: { code: 'too-many-requests' },
    });
    await call(bob.client);
    await call();

    const response = await fetch(`${limited.url}/api/places/nearby?type=park&at=${home}`, {
      headers: { authorization: ann.token },
    });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(50);
  });
});

describe('known places to draw on a map', () => {
  it('are those in a view, of every kind', async () => {
    const known = await network.client().listKnownPlaces({ query: { bbox: '-73.86,40.74,-73.84,40.75' } });
    expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(['Queens Museum']));
    expect(new Set(known.map(({ type }) => type)).size).toBeGreaterThan(1);
    for (const { position } of known) expect(position.lat).toBeCloseTo(40.745, 1);
    expect(await network.client().listKnownPlaces({ query: { bbox: '2,48,3,49' } })).toEqual([]);
  });
});

describe('naming towns on a map', () => {
  const townsIn = async (bbox: string) =>
    (await network.client().listTowns({ query: { bbox } })).map(({ name }) => name);

  it('returns the towns in a view, larger ones first', async () => {
    const towns = await townsIn('-73.95,40.68,-73.7,40.82');
    expect(towns).toEqual(expect.arrayContaining(['Flushing', 'Bayside', 'Jamaica']));
    expect(towns).not.toContain('Hoboken');
    expect((await townsIn('-180,-90,180,90'))[0]).toBe('Shanghai');
    expect(await townsIn('-40,30,-39,31')).toEqual([]);
  });

  it('includes their population', async () => {
    const [first, ...others] = await network.client().listTowns({ query: { bbox: '-0.5,51.3,0.3,51.7' } });
    expect(first?.name).toBe('London');
    expect(first?.population).toBeGreaterThan(5_000_000);
    expect(Math.max(...others.map(({ population }) => population))).toBeLessThan(first?.population ?? 0);
  });

  it('works across the antimeridian', async () => {
    expect(await townsIn('177,-19,-179,-16')).toEqual(expect.arrayContaining(['Suva', 'Labasa']));
  });
});
