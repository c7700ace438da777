import { localDate } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import {
  type Network,
  newChallenge,
  newDecision,
  newUser,
  readCollections,
  recordEvents,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network?.stop());

/** Returns the names on each page of a list, following the Link headers. */
async function pages({ token }: { token: string }, query: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let next: string | undefined = `/api/challenges/?${query}`; next; ) {
    const response: Response = await fetch(network.url + next, { headers: { authorization: token } });
    const challenges: { name: string }[] = await response.json();
    if (challenges.length) found.push(challenges.map(({ name }) => name));
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return found;
}

const admin = () => network.client(network.signToken({ sub: '900001', username: 'warden', admin: true }));

it('lets only an admin delete all challenges of a user, with participants, and publishes that their points are withdrawn', async () => {
  const [spammer, ann] = [await newUser(network), await newUser(network)];
  const published = recordEvents(network);
  const created = await Promise.all(
    Array.from({ length: 7 }, (_, index) =>
      newChallenge(spammer, index ? {} : { position: { lat: 40.75, lng: -73.83 } }),
    ),
  );
  const other = await newChallenge(ann);
  await ann.client.joinChallenge({ body: { challengeId: created[1]?.id ?? 0 } });
  await network.settle();
  const params = { id: String(spammer.me.id) };
  for (const { client } of [spammer, ann])
    await expect(client.deleteChallengesOf({ params })).rejects.toMatchObject({
      problem: { code: 'admins-only' },
    });
  expect(await admin().deleteChallengesOf({ params })).toEqual({ deleted: 7 });
  expect(await admin().deleteChallengesOf({ params })).toEqual({ deleted: 0 });
  await network.settle();
  const remaining = await network.client().listChallenges({ query: { limit: 500 } });
  const ids = remaining.map(({ id }) => id);
  expect(ids).toContain(other.id);
  for (const { id } of created) expect(ids).not.toContain(id);
  expect(await ann.client.listParticipations({})).toEqual([]);
  // By their ids, since an event may be published more than once.
  const deleted = published.flatMap(({ id, name, data }) =>
    name === 'challenge.deleted.v1' ? [[id, data] as const] : [],
  );
  const deletions = [...new Map(deleted).values()];
  expect(deletions).toHaveLength(7);
  for (const { id, position } of created)
    expect(deletions).toContainEqual({ challengeId: id, ...(position && { position }), revokesPoints: true });
});

it('returns the length of the whole list with every page', async () => {
  const ann = await newUser(network);
  const word = `Heron${Date.now()}`;
  const position = { lat: 64.14, lng: -21.94 };
  await Promise.all([
    newChallenge(ann, { name: `${word} one`, position }),
    newChallenge(ann, { name: `${word} two`, difficulty: 'Hard', position: { ...position, lat: 64.15 } }),
    newChallenge(ann, { name: `${word} three` }),
  ]);
  const totalOf = async (query: string) => {
    const response = await fetch(`${network.url}/api/challenges/?scope=all&${query}`);
    return response.headers.get('x-total-count');
  };
  expect(await totalOf(`search=${word}&limit=1&total=true`)).toBe('3');
  expect(await totalOf(`search=${word}&limit=1`)).toBeNull();
  expect(await totalOf(`search=${word}&difficulty=Hard&total=true`)).toBe('1');
  expect(await totalOf(`search=${word}&near=64.14,-21.94&radius=5000&limit=1&total=true`)).toBe('2');
  expect(await totalOf(`search=${word}&near=64.14,-21.94&radius=500&total=true`)).toBe('1');
  expect(await totalOf(`search=${word}&near=64.14,-21.94&radius=500&sort=newest&total=true`)).toBe('1');
  expect(await totalOf(`search=${word}&near=64.14,-21.94&sort=nearest&total=true`)).toBe('3');
  expect(await totalOf(`search=${word}&bbox=-22,64,-21,65&total=true`)).toBe('2');
  const all = await network.client().listChallenges({ query: { scope: 'all', limit: 500 } });
  expect(await totalOf('limit=1&total=true')).toBe(String(all.length));
});

it('filters by the chosen kind of place, also if the name suggests another one', async () => {
  const ann = await newUser(network);
  const run = String(Date.now());
  const created = async (name: string, locationName: string) =>
    (await newChallenge(ann, { name: `${name} ${run}`, locationName })).id;
  const museum = await created('Walk in the park', 'Museum of the Moving Image');
  const park = await created('Walk in the park', '');
  const clubs = await created('Jazz till late', '');
  const idsAt = async (placeCategory: 'museum' | 'park' | 'club') => {
    const query = { scope: 'all', placeCategory, search: run } as const;
    return (await network.client().listChallenges({ query })).map(({ id }) => id);
  };
  expect([await idsAt('museum'), await idsAt('park'), await idsAt('club')]).toEqual([
    [museum],
    [park],
    [clubs],
  ]);
  const [newest] = await network
    .client()
    .listChallenges({ query: { scope: 'all', placeCategory: 'park', limit: 1 } });
  expect(newest?.id).toBe(park);
  const body = { name: `Dance till late ${run}`, difficulty: 'Easy' } as const;
  await ann.client.updateChallenge({ params: { id: park }, body: { ...body, name: `Disco ${run}` } });
  expect([await idsAt('park'), await idsAt('club')]).toEqual([[], [clubs, park]]);
  await expect(fetch(`${network.url}/api/challenges/?placeCategory=moon`)).resolves.toMatchObject({
    status: 400,
  });
});

it('uses the kind that the creator chose, otherwise the guessed one', async () => {
  const ann = await newUser(network);
  const { id, placeCategory } = await newChallenge(ann, {
    locationName: 'Kissena Park',
    placeCategory: 'cinema',
  });
  const params = { id };
  const body = { name: 'Films on the lawn', difficulty: 'Easy' } as const;
  const changed = async (told: { placeCategory?: 'club' | 'park' | '' }) =>
    (await ann.client.updateChallenge({ params, body: { ...body, ...told } })).placeCategory;
  expect([
    placeCategory,
    await changed({}),
    await changed({ placeCategory: 'club' }),
    await changed({ placeCategory: '' }),
  ]).toEqual(['cinema', 'cinema', 'club', 'club']);
  expect([
    await changed({ placeCategory: 'park' }),
    (await network.client().getChallenge({ params })).placeCategory,
  ]).toEqual(['park', 'park']);
});

describe('a challenge with a required check-in', () => {
  const errors = [{ field: 'checkInRequired', reason: 'needs a place on the map' }];
  const rejection = { status: 400, problem: { errors } };
  const fields = { name: 'Walk', difficulty: 'Easy' } as const;

  it('needs a position; its creator can turn the requirement on and off', async () => {
    const ann = await newUser(network);
    const { id, checkInRequired } = await newChallenge(ann, { position: { lat: 40.75, lng: -73.83 } });
    const changed = async (asked: { checkInRequired?: boolean }) =>
      (await ann.client.updateChallenge({ params: { id }, body: { ...fields, ...asked } })).checkInRequired;
    expect([checkInRequired, await changed({ checkInRequired: true })]).toEqual([false, true]);
    // An older client sends no such field, which changes nothing.
    expect(await changed({})).toBe(true);
    const { id: participation } = await ann.client.joinChallenge({ body: { challengeId: id } });
    await network.settle();
    const complete = () =>
      ann.client.updateParticipation({ params: { id: participation }, body: { completed: true } });
    await expect(complete()).rejects.toMatchObject({ problem: { code: 'check-in-required' } });
    expect(await changed({ checkInRequired: false })).toBe(false);
    await network.settle();
    expect(await complete()).toMatchObject({ completed: true, checkedIn: false });
  });

  it('cannot be created or changed without a position', async () => {
    const ann = await newUser(network);
    await expect(newChallenge(ann, { checkInRequired: true, position: null })).rejects.toMatchObject(
      rejection,
    );
    const { id } = await newChallenge(ann, { checkInRequired: false, position: null });
    const body = { ...fields, checkInRequired: true };
    await expect(ann.client.updateChallenge({ params: { id }, body })).rejects.toMatchObject(rejection);
  });
});

describe('creating a challenge', () => {
  it('uses the caller as the creator, whatever the body says', async () => {
    const ann = await newUser(network);
    const body = { name: 'Walk', difficulty: 'Easy' as const, creator: { id: 1, username: 'somebody' } };
    const { can: _, ...challenge } = await ann.client.createChallenge({ body });
    expect(challenge.creator).toEqual({ id: ann.me.id, username: ann.username });
    expect(await network.client().getChallenge({ params: { id: challenge.id } })).toEqual(challenge);
  });

  it.each([
    ['easy', 'Easy', 10],
    ['MEDIUM', 'Medium', 20],
    ['Hard', 'Hard', 30],
  ])('stores difficulty %s as %s with %i points by default', async (typed, difficulty, points) => {
    const ann = await newUser(network);
    const challenge = await newChallenge(ann, { difficulty: typed as 'Easy' });
    expect(challenge).toMatchObject({ difficulty, points });
  });

  it('accepts the fields of a form: points and zip as text or numbers, empty fields as none', async () => {
    const ann = await newUser(network);
    expect(await newChallenge(ann, { points: '25', zip: 11368, startDate: '', endDate: null })).toMatchObject(
      {
        points: 25,
        zip: '11368',
        startDate: null,
        endDate: null,
      },
    );
    expect(
      await newChallenge(ann, { points: '', zip: '07030', startDate: '2026-05-01T10:00:00Z' }),
    ).toMatchObject({
      points: 10,
      zip: '07030',
      startDate: '2026-05-01',
    });
  });

  it.each([
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(121) }],
    ['difficulty', { difficulty: 'Gentle' as 'Easy' }],
    ['points', { points: 101 }],
    ['points', { points: 0 }],
    ['points', { points: 2.5 }],
    ['endDate', { startDate: '2026-05-02', endDate: '2026-05-01' }],
    ['startDate', { startDate: '2026-02-30' }],
    ['position.lat', { position: { lat: 91, lng: 0 } }],
  ])('rejects an invalid %s and names the field', async (field, change) => {
    const ann = await newUser(network);
    await expect(newChallenge(ann, change)).rejects.toMatchObject({
      status: 400,
      problem: {
        code: 'invalid-request',
        errors: expect.arrayContaining([expect.objectContaining({ field })]),
      },
    });
  });

  it('uses the time zone of its position, else of its city, else of its creator, else UTC', async () => {
    const ann = await newUser(network);
    const paris = await newChallenge(ann, { position: { lat: 48.857, lng: 2.352 } });
    expect(paris).toMatchObject({ timeZone: 'Europe/Paris', position: { lat: 48.857, lng: 2.352 } });
    expect(await newChallenge(ann)).toMatchObject({ timeZone: 'UTC', position: null });
    const zoneOf = async (changes: Parameters<typeof newChallenge>[1]) => {
      const { id, timeZone } = await newChallenge(ann, changes);
      await network.settle();
      const { timeZone: later } = await ann.client.getChallenge({ params: { id } });
      return [timeZone, later];
    };
    const [tokyo, newYork] = ['Asia/Tokyo', 'America/New_York'];
    expect(await zoneOf({ city: 'Tokyo', timeZone: tokyo })).toEqual([tokyo, tokyo]);
    expect(await zoneOf({ city: 'Tokyo', state: 'Tokyo', timeZone: newYork })).toEqual([newYork, tokyo]);
    expect(await zoneOf({ city: 'tōkyō' })).toEqual(['UTC', tokyo]);
    expect(await zoneOf({ city: 'Berlin', zip: '10115' })).toEqual(['UTC', 'Europe/Berlin']);
    expect(await zoneOf({ zip: '10025' })).toEqual(['UTC', newYork]);
    // Of several towns with the same name: the one in the creator's time zone, or in the state.
    expect(await zoneOf({ city: 'London', timeZone: 'America/Toronto' })).toEqual(
      Array(2).fill('America/Toronto'),
    );
    expect(await zoneOf({ city: 'Paris', state: 'TX' })).toEqual(['UTC', 'America/Chicago']);
    expect(await zoneOf({ city: 'Nowhere at all', timeZone: 'asia/tokyo' })).toEqual([tokyo, tokyo]);
    expect(await zoneOf({ timeZone: 'Mars/Olympus' })).toEqual(['UTC', 'UTC']);
    expect(await zoneOf({ timeZone: '+09:00' })).toEqual(['UTC', 'UTC']);
  });

  it('keeps the time zone of its creator for a town of that zone, by whatever name (Q9)', async () => {
    const ann = await newUser(network);
    const zoneOf = async (changes: Parameters<typeof newChallenge>[1]) => {
      const { id, timeZone } = await newChallenge(ann, changes);
      await network.settle();
      const { timeZone: later } = await ann.client.getChallenge({ params: { id } });
      expect(later).toBe(timeZone);
      return later;
    };
    const [shikarpur, sanFernando] = [
      { city: 'Shikarpur', state: 'Uttar Pradesh' },
      { city: 'San Fernando', state: 'Buenos Aires' },
    ];
    for (const timeZone of ['Asia/Kolkata', 'Asia/Calcutta'])
      expect(await zoneOf({ ...shikarpur, timeZone })).toMatch(/^Asia\/(Kolkata|Calcutta)$/);
    for (const timeZone of ['America/Argentina/Buenos_Aires', 'America/Buenos_Aires'])
      expect(await zoneOf({ ...sanFernando, timeZone })).toMatch(/Buenos_Aires$/);
  });

  it.each([
    ['Dandong', 40.1292, 124.3947, 'Asia/Shanghai'],
    ['Dili', -8.5586, 125.5736, 'Asia/Dili'],
    ['Haparanda', 65.8355, 24.1368, 'Europe/Stockholm'],
    ['Mexico Beach', 29.9414, -85.4064, 'America/Chicago'],
    ['Page', 36.9147, -111.4558, 'America/Phoenix'],
    ['Pago Pago', -14.2781, -170.7025, 'Pacific/Pago_Pago'],
    ['Williston', 48.147, -103.618, 'America/Chicago'],
    ['the Atlantic', 0, -30, 'Etc/GMT+2'],
  ])('has the days of its own side of a border: %s (Q11)', async (_, lat, lng, timeZone) => {
    const ann = await newUser(network);
    expect(await newChallenge(ann, { position: { lat, lng } })).toMatchObject({ timeZone });
  });
});

describe('finding challenges', () => {
  it('returns all challenges to a visitor, and their own to a member unless they request all', async () => {
    const ann = await newUser(network);
    const bob = await newUser(network);
    const created = await newChallenge(ann);
    const joined = await newChallenge(bob);
    const neither = await newChallenge(bob);
    await ann.client.joinChallenge({ body: { challengeId: joined.id } });
    await network.settle();

    const ids = async (list: Promise<{ id: number }[]>) => (await list).map(({ id }) => id);
    expect(await ids(ann.client.listChallenges())).toEqual([joined.id, created.id].sort((a, b) => b - a));
    expect(await ids(ann.client.listChallenges({ query: { scope: 'all' } }))).toContain(neither.id);
    expect(await ids(network.client().listChallenges())).toEqual(
      expect.arrayContaining([created.id, neither.id]),
    );
    await expect(network.client().listChallenges({ query: { scope: 'mine' } })).rejects.toMatchObject({
      status: 401,
    });
  });

  it('filters by difficulty, by text ignoring case and accents, by box and by distance', async () => {
    const ann = await newUser(network);
    const name = `Lighthouse (${ann.me.id}) *`;
    const position = { lat: 64.146, lng: -21.942 };
    const { id } = await newChallenge(ann, { name, difficulty: 'Hard', position });
    const away = await newChallenge(ann, { name, position: { lat: 64.146, lng: -21.8 } });
    const find = async (query: object) =>
      (await network.client().listChallenges({ query })).map((challenge) => challenge.id);

    expect(await find({ search: name.toUpperCase() })).toEqual([away.id, id]);
    expect(await find({ search: name, difficulty: 'hard' })).toEqual([id]);
    expect(await find({ search: name, bbox: '-22,64,-21.9,65' })).toEqual([id]);
    expect(await find({ search: name, bbox: '179,60,-21.9,65' })).toEqual([id]);
    expect(await find({ search: name, near: '64.146,-21.9', radius: '3000' })).toEqual([id]);
    expect(await find({ search: name, near: '64.146,-21.81', radius: '20000' })).toEqual([away.id, id]);
    expect(await find({ search: name, near: '64.146,-21.81', radius: '20000', limit: '1' })).toEqual([
      away.id,
    ]);
    expect(await find({ search: '.*' })).toEqual([]);
  });

  it('returns the nearest ones in pages, also if several are at one place', async () => {
    const ann = await newUser(network);
    const places = [
      ['far', 10.3],
      ['here', 10],
      ['also here', 10],
      ['close', 10.01],
      ['still here', 10],
      ['out of reach', 11],
    ] as const;
    for (const [name, lng] of places) await newChallenge(ann, { name, position: { lat: -48, lng } });
    const found = await pages(ann, 'near=-48,10&radius=30000&limit=2');
    expect(found.map((page) => page.length)).toEqual([2, 2, 1]);
    const names = found.flat();
    expect(names.slice(0, 3).sort()).toEqual(['also here', 'here', 'still here']);
    expect(names.slice(3)).toEqual(['close', 'far']);
  });

  it('returns the whole list nearest first if no radius is given, and those without a position last', async () => {
    const ann = await newUser(network);
    const at = (lat: number, lng: number) => ({ position: { lat, lng } });
    await newChallenge(ann, { name: 'nowhere yet' });
    await newChallenge(ann, { name: 'across the world', ...at(48, -170) });
    await newChallenge(ann, { name: 'here', ...at(-48, 10) });
    await newChallenge(ann, { name: 'nowhere either' });
    await newChallenge(ann, { name: 'close', ...at(-48, 10.01) });
    expect(await pages(ann, 'sort=nearest&near=-48,10&limit=2')).toEqual([
      ['here', 'close'],
      ['across the world', 'nowhere either'],
      ['nowhere yet'],
    ]);
    expect(await pages(ann, 'sort=nearest&limit=3')).toEqual([
      ['close', 'nowhere either', 'here'],
      ['across the world', 'nowhere yet'],
    ]);
  });

  it.each([
    ['in the middle of a map', [50, 10], [50, 10.03], [49.958, 9.94]],
    ['across the antimeridian', [-17, 179.99], [-17, -179.99], [-17.042, 179.96]],
    ['around a pole', [89.99, 0], [89.99, 120], [89.94, 0]],
    ['around the other pole, on its other side', [-89.99, 0], [-89.99, -179.9], [-89.94, 0]],
  ] as const)('keeps a radius with a chosen order, %s', async (_where, [lat, lng], beside, outside) => {
    const ann = await newUser(network);
    const at = ([lat, lng]: readonly [number, number]) => ({ position: { lat, lng } });
    await newChallenge(ann, { name: 'here', ...at([lat, lng]) });
    await newChallenge(ann, { name: 'beside it', ...at(beside) });
    await newChallenge(ann, { name: 'just outside', ...at(outside) });
    await newChallenge(ann, { name: 'nowhere' });
    const around = `near=${lat},${lng}&radius=5000`;
    expect(await pages(ann, `${around}&sort=newest&limit=1`)).toEqual([['beside it'], ['here']]);
    expect(await pages(ann, `${around}&sort=joined&limit=2`)).toEqual([['beside it', 'here']]);
    const everybody = await network.client().listChallenges({
      query: { scope: 'all', near: `${lat},${lng}`, radius: '5000', sort: 'newest' },
    });
    expect(everybody.map(({ name }) => name)).toEqual(['beside it', 'here']);
  });

  it('ends a list by distance after 2,000, and starts over with an invalid cursor', async () => {
    const ann = await newUser(network);
    for (const lng of [20, 20.01]) await newChallenge(ann, { position: { lat: -48, lng } });
    for (const cursor of ['1', '1999', '999999999', '-3', 'x']) {
      const query = `near=-48,20&radius=30000&limit=1&cursor=${cursor}`;
      const response = await fetch(`${network.url}/api/challenges/?${query}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toHaveLength(['1', '-3', 'x'].includes(cursor) ? 1 : 0);
    }
  });

  describe('by their dates', () => {
    const day = (fromToday: number) => localDate('UTC', new Date(Date.now() + fromToday * 86_400_000));
    let of: Awaited<ReturnType<typeof newUser>>;
    const named = async (query: object) =>
      (await of.client.listChallenges({ query })).map(({ name }) => name);

    beforeAll(async () => {
      of = await newUser(network);
      for (const [name, startDate, endDate] of [
        ['always', null, null],
        ['next week', day(7), day(9)],
        ['over', day(-9), day(-1)],
        ['until today', null, day(0)],
        ['until tomorrow', day(0), day(1)],
        ['also until tomorrow', null, day(1)],
      ] as const)
        await newChallenge(of, { name, startDate, endDate });
    });

    it.each([
      ['open', ['also until tomorrow', 'until tomorrow', 'until today', 'always']],
      ['upcoming', ['next week']],
      ['ended', ['over']],
    ])('finds those that are %s', async (phase, names) => {
      expect(await named({ phase })).toEqual(names);
    });

    it('returns those that end first in pages, without ended and endless ones', async () => {
      expect(await pages(of, 'sort=ending&limit=2')).toEqual([
        ['until today', 'also until tomorrow'],
        ['until tomorrow', 'next week'],
      ]);
    });

    it('returns those with most participants in pages', async () => {
      const others = [await newUser(network), await newUser(network)];
      const find = async (name: string) =>
        (await of.client.listChallenges()).find((challenge) => challenge.name === name)?.id ?? 0;
      for (const { client } of others)
        await client.joinChallenge({ body: { challengeId: await find('until today') } });
      await others[0]?.client.joinChallenge({ body: { challengeId: await find('always') } });
      await network.settle();
      expect(await pages(of, 'sort=joined&limit=4')).toEqual([
        ['until today', 'always', 'also until tomorrow', 'until tomorrow'],
        ['over', 'next week'],
      ]);
    });
  });

  it('returns each once in pages, by the Link header', async () => {
    const ann = await newUser(network);
    const created: number[] = [];
    for (let i = 0; i < 5; i++) created.push((await newChallenge(ann)).id);
    const seen: number[] = [];
    let next: string | undefined = '/api/challenges/?limit=2';
    while (next) {
      const response: Response = await fetch(network.url + next, { headers: { authorization: ann.token } });
      for (const { id } of (await response.json()) as { id: number }[]) seen.push(id);
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(created.reverse());
  });

  it.each([
    'bbox=1,2,3',
    'bbox=0,10,0,-10',
    'near=100,0',
    'limit=0',
    'limit=501',
    'limit=1&limit=2',
    'difficulty[$gt]=&limit=x',
  ])('rejects %s', async (query) => {
    expect((await fetch(`${network.url}/api/challenges/?${query}`)).status).toBe(400);
  });
});

describe('changing a challenge', () => {
  const fields = { name: 'Walk on', description: 'Further', difficulty: 'Hard' as const, points: 40 };

  it('is allowed for its creator: its texts and dates, not its position, creator or participants', async () => {
    const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
    const position = { lat: 48.857, lng: 2.352 };
    const created = await newChallenge(ann, { position, city: 'Paris', startDate: '2026-01-01' });
    await bob.client.joinChallenge({ body: { challengeId: created.id } });
    await network.settle();
    const params = { id: created.id };
    const body = { ...fields, endDate: '2026-02-01', position: { lat: 0, lng: 0 }, participants: 7 };
    await expect(bob.client.updateChallenge({ params, body })).rejects.toMatchObject({ status: 403 });

    const changed = await ann.client.updateChallenge({ params, body });
    expect(changed).toEqual({
      ...created,
      ...fields,
      ...{ startDate: null, endDate: '2026-02-01', participants: 1, can: { edit: true, delete: false } },
    });
    expect(await ann.client.getChallenge({ params })).toEqual(changed);
    await network.settle();
    expect((await bob.client.listParticipations())[0]?.challenge).toMatchObject(fields);
    const search = { scope: 'all', search: 'walk on paris' } as const;
    expect((await ann.client.listChallenges({ query: search })).map(({ id }) => id)).toEqual([created.id]);
  });

  it('closes it with an end date in the past', async () => {
    const ann = await newUser(network);
    const { id } = await newChallenge(ann);
    const participation = await ann.client.joinChallenge({ body: { challengeId: id } });
    await ann.client.updateChallenge({ params: { id }, body: { ...fields, endDate: '2026-01-01' } });
    await network.settle();
    await expect(
      ann.client.updateParticipation({ params: { id: participation.id }, body: { completed: true } }),
    ).rejects.toMatchObject({ problem: { code: 'already-ended' } });
  });

  it('publishes nothing if nothing changed', async () => {
    const ann = await newUser(network);
    const { id } = await newChallenge(ann, fields);
    await network.settle();
    const history = recordEvents(network);
    await ann.client.updateChallenge({ params: { id }, body: fields });
    // As the form sends them: the guessed kind of place, and no check-in.
    const formFields = { ...fields, placeCategory: '', checkInRequired: false } as const;
    await ann.client.updateChallenge({ params: { id }, body: formFields });
    await ann.client.updateChallenge({ params: { id }, body: { ...fields, points: 41 } });
    await network.settle();
    const updates = history.filter(({ name }) => name === 'challenge.updated.v1');
    expect(updates.map(({ data }) => data)).toEqual([
      { challenge: expect.objectContaining({ id, points: 41 }), version: 2 },
    ]);
  });

  it.each([
    ['name', { name: ' ' }],
    ['points', { points: 101 }],
    ['endDate', { startDate: '2026-05-02', endDate: '2026-05-01' }],
  ])('rejects an invalid %s and names the field', async (field, change) => {
    const ann = await newUser(network);
    const { id } = await newChallenge(ann);
    const body = { ...fields, ...change };
    await expect(ann.client.updateChallenge({ params: { id }, body })).rejects.toMatchObject({
      status: 400,
      problem: { errors: [expect.objectContaining({ field })] },
    });
  });
});

describe('deleting a challenge', () => {
  it('by an admin deletes all participations, and nobody can join it', async () => {
    const ann = await newUser(network);
    const bob = await newUser(network);
    const challenge = await newChallenge(ann);
    const params = { id: challenge.id };
    await bob.client.joinChallenge({ body: { challengeId: challenge.id } });
    await expect(bob.client.deleteChallenge({ params })).rejects.toMatchObject({ status: 403 });

    await admin().deleteChallenge({ params });
    await network.settle();
    await expect(network.client().getChallenge({ params })).rejects.toMatchObject({ status: 404 });
    await expect(admin().deleteChallenge({ params })).rejects.toMatchObject({ status: 404 });
    expect(await bob.client.listParticipations()).toEqual([]);
    expect((await bob.client.listChallenges()).map(({ id }) => id)).not.toContain(challenge.id);
    await expect(bob.client.joinChallenge({ body: { challengeId: challenge.id } })).rejects.toMatchObject({
      problem: { code: 'challenge-not-found' },
    });
  });

  it('by its creator is possible while nobody else participates, as responses say (53, finding 40)', async () => {
    const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
    const created = await newChallenge(ann);
    const { id } = created;
    const params = { id };
    const abilities = async (caller: { client: ReturnType<Network['client']> }) => {
      const listed = await caller.client.listChallenges({ query: { scope: 'mine' } });
      const { can } = await caller.client.getChallenge({ params });
      expect(listed.find((challenge) => challenge.id === id)?.can ?? can).toEqual(can);
      return can;
    };
    expect(created.can).toEqual({ edit: true, delete: true });
    await ann.client.joinChallenge({ body: { challengeId: id } });
    await network.settle();
    expect(await abilities(ann)).toEqual({ edit: true, delete: true });
    const participation = await bob.client.joinChallenge({ body: { challengeId: id } });
    await network.settle();
    await expect(ann.client.deleteChallenge({ params })).rejects.toMatchObject({
      problem: { code: 'has-other-participants' },
    });
    expect(await abilities(ann)).toEqual({ edit: true, delete: false });
    expect(await abilities(bob)).toEqual({ edit: false, delete: false });
    expect(await abilities({ client: admin() })).toEqual({ edit: false, delete: true });
    expect((await network.client().getChallenge({ params })).can).toBeUndefined();
    await bob.client.leaveChallenge({ params: { id: participation.id } });
    await network.settle();
    expect(await abilities(ann)).toEqual({ edit: true, delete: true });
    await ann.client.deleteChallenge({ params });
    await network.settle();
    expect(await ann.client.listParticipations()).toEqual([]);
  });
});

it('lists those that are open or upcoming, not ended ones, as the current ones (53, finding 16)', async () => {
  const ann = await newUser(network);
  const day = (days: number) => localDate('UTC', new Date(Date.now() + days * 86_400_000));
  for (const [name, dates] of [
    ['over', { endDate: day(-3) }],
    ['on', { startDate: day(-3), endDate: day(3) }],
    ['soon', { startDate: day(3) }],
    ['always', {}],
  ] as const)
    await newChallenge(ann, { name, ...dates });
  const current = await ann.client.listChallenges({ query: { scope: 'mine', phase: 'current' } });
  expect(current.map(({ name }) => name).sort()).toEqual(['always', 'on', 'soon']);
});

describe('events of other services', () => {
  it('update the number of participants, in whatever order and however often they arrive', async () => {
    const ann = await newUser(network);
    const { id: challengeId } = await newChallenge(ann);
    const participation = (n: number) => ({
      participationId: 9_000_000 + challengeId * 10 + n,
      challengeId,
      userId: 9_000_000 + n,
    });
    const joined = [1, 2, 3].map((n) => newEvent('challenge.joined.v1', participation(n)));
    const left = newEvent('challenge.left.v1', participation(2));
    await network.bus.publish(left);
    await Promise.all([...joined, ...joined].map((event) => network.bus.publish(event)));
    await network.bus.publish(left);
    const challenge = await network.client().getChallenge({ params: { id: challengeId } });
    expect(challenge.participants).toBe(2);
  });

  it('rename a creator, also for participants, without an event of each challenge (51.8)', async () => {
    const ann = await newUser(network);
    const challenge = await newChallenge(ann);
    const bob = await newUser(network);
    const bobs = await newChallenge(bob);
    await bob.client.joinChallenge({ body: { challengeId: challenge.id } });
    await network.settle();
    const events = recordEvents(network);
    const username = `${ann.username}-two`;
    await ann.client.updateMe({ body: { username } });
    await network.settle();
    expect(events.filter(({ name }) => name === 'challenge.updated.v1')).toEqual([]);
    const creator = { id: ann.me.id, username };
    expect(await network.client().getChallenge({ params: { id: challenge.id } })).toMatchObject({ creator });
    expect((await bob.client.listParticipations())[0]?.challenge.creator).toEqual(creator);
    expect((await newChallenge(ann)).creator).toEqual(creator);
    expect(await network.client().getChallenge({ params: { id: bobs.id } })).toMatchObject({
      creator: bobs.creator,
    });
  });

  it('never restore an old name', async () => {
    const ann = await newUser(network);
    const challenge = await newChallenge(ann);
    const profile = { ...(await network.client().getUser({ params: { id: ann.me.id } })) };
    const named = (username: string, version: number) =>
      newEvent('user.profile-changed.v1', { user: { ...profile, username }, version });
    await network.bus.publish(named('newest', 1_000));
    await network.bus.publish(named('older', 999));
    expect((await network.client().getChallenge({ params: { id: challenge.id } })).creator.username).toBe(
      'newest',
    );
  });
});

it('hides, restores and deletes a challenge as moderation decided last', async () => {
  const [ann, bob] = [await newUser(network), await newUser(network)];
  const challenge = await newChallenge(ann);
  await bob.client.joinChallenge({ body: { challengeId: challenge.id } });
  await network.settle();
  const decide = async (version: number, decision: 'hide' | 'restore' | 'delete') => {
    const about = { kind: 'challenge', subjectId: challenge.id, affectedUserId: ann.me.id } as const;
    await network.bus.publish(newDecision({ ...about, version, decision }));
    await network.settle();
  };
  const read = ({ client }: TestUser) => client.getChallenge({ params: { id: challenge.id } });
  const notFound = { problem: { code: 'challenge-not-found' } };

  await decide(2, 'hide');
  await expect(read(bob)).rejects.toMatchObject(notFound);
  expect(await read(ann)).toMatchObject({ id: challenge.id, status: 'hidden' });
  await decide(1, 'restore');
  await expect(read(bob)).rejects.toMatchObject(notFound);
  await decide(3, 'restore');
  expect(await read(bob)).toMatchObject({ id: challenge.id, participants: 1 });
  await decide(4, 'delete');
  await expect(read(ann)).rejects.toMatchObject(notFound);
  expect(await bob.client.listParticipations()).toEqual([]);
  const { memberships = [] } = await readCollections(network, 'challenges', ['memberships']);
  expect(memberships.filter(({ challengeId }) => challengeId === challenge.id)).toEqual([]);
});
