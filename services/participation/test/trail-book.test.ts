import { type Audience, type EventData, localDate, type Stamp, type TrailBook } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken, startIsolatedService } from '@wayquest/testing';
import { weeklyStreak } from '../src/trail-book.ts';
import { unlimited } from './unlimited.ts';

const walker = 7;
const places = ['Kissena Park', 'Queens Museum', 'Bowne Park', '', 'Flushing Library'];

const profile = { username: 'walker', firstName: '', lastName: '', city: '', state: '', avatar: '7.svg' };

const challenges = places.map((locationName, index) => ({
  _id: index + 1,
  version: 1,
  deleted: false,
  details: {
    id: index + 1,
    name: `Walk ${index + 1}`,
    description: '',
    difficulty: 'Easy',
    points: 10,
    locationName,
    streetAddress: '164-15 Booth Memorial Ave',
    city: ['flushing ', 'Astoria', 'Flushing', ''][index] ?? 'Flushing',
    state: 'NY',
    zip: '11355',
    startDate: null,
    endDate: null,
    timeZone: index === 4 ? 'Pacific/Kiritimati' : 'America/New_York',
    position: index === 3 ? null : { lat: 40.7512 + index, lng: -73.8123 },
    creator: { id: index === 1 ? walker : 1, username: 'maker' },
    createdAt: '2026-01-01T00:00:00.000Z',
  },
}));

/** Completed on different days, except for the second and third; the last one is not completed. */
const participations = [3, 4, 4, 6, 9].map((day, index) => ({
  _id: index + 1,
  key: `${walker}:${index + 1}`,
  userId: walker,
  challengeId: index + 1,
  completed: index < 4,
  points: 10 + index,
  joinedAt: new Date('2026-01-02T00:00:00Z'),
  completedAt: index < 4 ? new Date(`2026-01-0${day}T${index === 3 ? '01' : '12'}:00:00Z`) : null,
  // Older versions did not store the day.
  ...(index === 0 && { day: '2026-01-02' }),
  outbox: [],
}));

describe('a trail book', () => {
  let service: IsolatedService;
  beforeAll(async () => {
    service = await startIsolatedService({
      service: 'participation',
      create: unlimited(),
      stored: { participations, challenges, users: [{ _id: walker, version: 1, profile, points: 0 }] },
    });
  });
  afterAll(() => service?.stop());

  const member = () => service.client(signToken({ sub: '8', username: 'another' }));
  const read = (query: { limit?: number; cursor?: string } = {}, id = walker) =>
    member().getTrailBook({ params: { id }, query });
  const names = (stamps: Stamp[]) => stamps.map(({ name }) => name);

  it('contains a user’s completions, newest first, and marks challenges that they created', async () => {
    const { stamps, ...summary } = await read();
    expect(names(stamps)).toEqual(['Walk 4', 'Walk 3', 'Walk 2', 'Walk 1']);
    expect(stamps.map(({ own }) => own)).toEqual([false, false, true, false]);
    expect(stamps[1]).toEqual({
      participationId: 3,
      challengeId: 3,
      name: 'Walk 3',
      locationName: 'Bowne Park',
      city: 'Flushing',
      placeCategory: 'park',
      points: 12,
      completedAt: '2026-01-04T12:00:00.000Z',
      day: '2026-01-04',
      own: false,
    });
    expect(summary).toMatchObject({
      total: 4,
      own: 1,
      towns: 2,
      placeCategories: [
        { placeCategory: 'park', count: 2 },
        { placeCategory: 'attraction', count: 1 },
        { placeCategory: 'museum', count: 1 },
      ],
    });
  });

  it('contains the stored local day of each completion, or else the day in the challenge’s time zone', async () => {
    const { stamps } = await read();
    expect(stamps.map(({ day }) => day)).toEqual(['2026-01-05', '2026-01-04', '2026-01-04', '2026-01-02']);
  });

  it('is paged, also between completions of the same time, with the total on each page', async () => {
    const token = signToken({ sub: '8', username: 'another' });
    const open = async (path: string) => {
      const response = await fetch(service.url + path, { headers: { authorization: token } });
      const [, next] = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
      const { stamps, total }: { stamps: Stamp[]; total: number } = await response.json();
      return { names: names(stamps), total, next };
    };
    const first = await open(`/api/trails/${walker}?limit=2`);
    expect(first).toMatchObject({ names: ['Walk 4', 'Walk 3'], total: 4 });
    const second = await open(first.next ?? '');
    expect(second).toMatchObject({ names: ['Walk 2', 'Walk 1'], total: 4 });
    expect(await open(second.next ?? '')).toMatchObject({ names: [], total: 4 });
  });

  it('is empty for users without completions, and requires a login', async () => {
    expect(await read({}, 99)).toEqual({
      stamps: [],
      total: 0,
      own: 0,
      placeCategories: [],
      towns: 0,
      weeklyStreak: 0,
    });
    await expect(service.client().getTrailBook({ params: { id: walker } })).rejects.toMatchObject({
      status: 401,
    });
  });

  it('needs five store commands, and four for each further page', async () => {
    const client = member();
    const get = (cursor?: string) =>
      client.getTrailBook({ params: { id: walker }, query: cursor ? { cursor } : {} });
    await get();
    expect(await commandsOf(get)).toEqual(Array(5).fill('find'));
    expect(await commandsOf(() => get('2026-01-04T12:00:00.000Z~3'))).toEqual(Array(4).fill('find'));
  });

  /** Returns the names of the store commands of a call. */
  async function commandsOf(call: () => Promise<unknown>) {
    await service.settle();
    service.commands.length = 0;
    await call();
    return service.commands.map(({ commandName }) => commandName);
  }

  describe('with a map', () => {
    const friend = 9;
    const own = signToken({ sub: String(walker), username: 'walker' });
    const tokens = {
      stranger: signToken({ sub: '8', username: 'another' }),
      friend: signToken({ sub: String(friend), username: 'friend' }),
      admin: signToken({ sub: '900001', username: 'admin', admin: true }),
    };
    /** Returns the response without parsing it, which could drop fields. */
    const raw = async (token: string, query = '') => {
      const headers = { authorization: token };
      return (await fetch(`${service.url}/api/trails/${walker}${query}`, { headers })).text();
    };
    const show = (visibility: Audience, token = own) =>
      service.client(token).showTrailMap({ params: { id: walker }, body: { visibility } });
    const readersOfMap = async () => {
      const entries = Object.entries(tokens).map(async ([reader, token]) => {
        const bytes = await raw(token);
        const book: TrailBook = JSON.parse(bytes);
        expect(book.total).toBe(4);
        // Nothing more precise than the town of a stamp, under whatever name, and not the chosen audience.
        if (!book.map) expect(bytes).not.toMatch(/position|lat|lng|coord|street|Booth|11355|\.7512|\.8123/i);
        expect(bytes).not.toContain('visibility');
        return book.map ? [reader] : [];
      });
      return (await Promise.all(entries)).flat();
    };
    const changeFriendship = (name: 'friend.accepted.v1' | 'friend.removed.v1') =>
      service.deliver(newEvent(name, { requestId: 1, userIds: [friend, walker] }));
    const block = (name: 'user.blocked.v1' | 'user.unblocked.v1', version: number) => {
      const data: EventData<'user.blocked.v1'> = { blockId: 2, userId: walker, blockedId: 8, version };
      return service.deliver(newEvent(name, data));
    };

    it('shows the user all places that have a position, on the first page only', async () => {
      const { map }: TrailBook = JSON.parse(await raw(own, '?limit=1'));
      expect(map).toEqual({
        visibility: 'me',
        places: [
          { challengeId: 3, name: 'Walk 3', position: { lat: 42.7512, lng: -73.8123 } },
          { challengeId: 2, name: 'Walk 2', position: { lat: 41.7512, lng: -73.8123 } },
          { challengeId: 1, name: 'Walk 1', position: { lat: 40.7512, lng: -73.8123 } },
        ],
      });
      expect(await raw(own, '?cursor=2026-01-04T12:00:00.000Z~3')).not.toContain('map');
    });

    it('cannot be reconstructed from the list of latest completions', async () => {
      const headers = { authorization: tokens.stranger };
      const response = await fetch(`${service.url}/api/completions/?ids=${walker}`, { headers });
      const bytes = await response.text();
      expect(bytes).toContain('Walk 3');
      expect(bytes).not.toMatch(/Booth|11355|\.7512|\.8123/);
    });

    it('is shown to the user only by default, and nobody else can change that', async () => {
      expect(await readersOfMap()).toEqual([]);
      for (const token of Object.values(tokens))
        await expect(show('everybody', token)).rejects.toMatchObject({ status: 403 });
      expect(await readersOfMap()).toEqual([]);
    });

    it('is shown to current friends if the user chooses that', async () => {
      await show('friends');
      expect(await readersOfMap()).toEqual([]);
      await changeFriendship('friend.accepted.v1');
      expect(await readersOfMap()).toEqual(['friend']);
      expect(await commandsOf(() => raw(own))).toHaveLength(3);
      expect(await commandsOf(() => raw(tokens.friend))).toHaveLength(6);
      await changeFriendship('friend.removed.v1');
      expect(await readersOfMap()).toEqual([]);
    });

    it('is shown to everybody except blocked users if the user chooses that, until they change it', async () => {
      await show('everybody');
      expect(await readersOfMap()).toEqual(['stranger', 'friend', 'admin']);
      expect(await commandsOf(() => raw(tokens.stranger))).toHaveLength(5);
      await block('user.blocked.v1', 1);
      expect(await raw(tokens.stranger)).toMatch(/^{"type":"[^"]*user-not-found"/);
      await block('user.unblocked.v1', 2);
      await show('me');
      expect(await readersOfMap()).toEqual([]);
    });
  });

  it('stores the local day with a completion', async () => {
    const client = service.client(signToken({ sub: `${walker}`, username: 'walker' }));
    const { id } = await client.joinChallenge({ body: { challengeId: 5 } });
    await client.updateParticipation({ params: { id }, body: { completed: true } });
    const participation = (await service.read('participations')).find(({ _id }) => _id === id);
    expect(participation?.day).toBe(localDate('Pacific/Kiritimati', participation?.completedAt));
  });
});

describe('a weekly streak', () => {
  // A Wednesday.
  const now = new Date('2026-05-20T12:00:00Z');

  it.each<[string, string[], number]>([
    ['no completions', [], 0],
    ['this week only', ['2026-05-18'], 1],
    ['two completions in a week', ['2026-05-18', '2026-05-19'], 1],
    ['last week, since this one is not over', ['2026-05-13'], 1],
    ['three weeks', ['2026-05-18', '2026-05-13', '2026-05-04'], 3],
    ['two weeks with two missed weeks in May between them', ['2026-05-18', '2026-04-29'], 2],
    [
      'three weeks with two missed weeks in May and two in April',
      ['2026-05-18', '2026-04-29', '2026-04-08'],
      3,
    ],
    [
      'weeks until three missed weeks in April',
      ['2026-05-18', '2026-05-13', '2026-05-04', '2026-04-29', '2026-03-31'],
      4,
    ],
    ['weeks that ended more than two missed weeks ago', ['2026-03-31'], 0],
    ['a Sunday and the Monday after it', ['2026-05-17', '2026-05-18'], 2],
  ])('counts %s', (_case, days, expected) => {
    expect(weeklyStreak(days, now)).toBe(expected);
  });

  it('includes a week that has begun only in time zones east of UTC', () => {
    expect(weeklyStreak(['2026-05-18'], new Date('2026-05-17T20:00:00Z'))).toBe(1);
    expect(weeklyStreak(['2026-05-18', '2026-05-11'], new Date('2026-05-17T20:00:00Z'))).toBe(2);
  });
});
