import type { Stamp } from '@wayquest/contracts';
import { type Alone, signToken, startAlone } from '@wayquest/testing';
import { weeksInARow } from '../src/weeks.ts';
import { unlimited } from './unlimited.ts';

const walker = 7;
const places = ['Kissena Park', 'Queens Museum', 'Bowne Park', '', 'Flushing Library'];

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
    streetAddress: '',
    city: ['flushing ', 'Astoria', 'Flushing', ''][index] ?? 'Flushing',
    state: 'NY',
    zip: '',
    startDate: null,
    endDate: null,
    timeZone: 'America/New_York',
    position: null,
    creator: { id: index === 1 ? walker : 1, username: 'maker' },
    createdAt: '2026-01-01T00:00:00.000Z',
  },
}));

/** Each on a day of its own, but the second and third; the last one still waits. */
const lines = [3, 4, 4, 6, 9].map((day, index) => ({
  _id: index + 1,
  key: `${walker}:${index + 1}`,
  userId: walker,
  challengeId: index + 1,
  completed: index < 4,
  points: 10 + index,
  joinedAt: new Date('2026-01-02T00:00:00Z'),
  completedAt: index < 4 ? new Date(`2026-01-0${day}T12:00:00Z`) : null,
  outbox: [],
}));

describe('a trail book', () => {
  let participation: Alone;
  beforeAll(async () => {
    participation = await startAlone({
      service: 'participation',
      create: unlimited(),
      stored: { lines, challenges },
    });
  });
  afterAll(() => participation?.stop());

  const member = () => participation.client(signToken({ sub: '8', username: 'another' }));
  const read = (query: { limit?: number; cursor?: string } = {}, id = walker) =>
    member().getTrailBook({ params: { id }, query });
  const names = (stamps: Stamp[]) => stamps.map(({ name }) => name);

  it('holds what somebody completed, the newest first, and tells what they made themselves', async () => {
    const { stamps, ...summary } = await read();
    expect(names(stamps)).toEqual(['Walk 4', 'Walk 3', 'Walk 2', 'Walk 1']);
    expect(stamps.map(({ own }) => own)).toEqual([false, false, true, false]);
    expect(stamps[1]).toEqual({
      lineId: 3,
      challengeId: 3,
      name: 'Walk 3',
      locationName: 'Bowne Park',
      city: 'Flushing',
      points: 12,
      completedAt: '2026-01-04T12:00:00.000Z',
      own: false,
    });
    expect(summary).toMatchObject({
      total: 4,
      own: 1,
      towns: 2,
      scenes: [
        { scene: 'park', count: 2 },
        { scene: 'attraction', count: 1 },
        { scene: 'museum', count: 1 },
      ],
    });
  });

  it('goes on page after page, also between two of the same moment, and counts all of them on each', async () => {
    const token = signToken({ sub: '8', username: 'another' });
    const open = async (path: string) => {
      const response = await fetch(participation.url + path, { headers: { authorization: token } });
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

  it('is empty for who has been nowhere, and for members alone', async () => {
    expect(await read({}, 99)).toEqual({
      stamps: [],
      total: 0,
      own: 0,
      scenes: [],
      towns: 0,
      weeksInARow: 0,
    });
    await expect(participation.client().getTrailBook({ params: { id: walker } })).rejects.toMatchObject({
      status: 401,
    });
  });

  it('costs three commands, whichever page', async () => {
    const client = member();
    const ask = (cursor?: string) =>
      client.getTrailBook({ params: { id: walker }, query: cursor ? { cursor } : {} });
    await ask();
    await participation.settle();
    participation.commands.length = 0;
    await ask();
    await ask('2026-01-04T12:00:00.000Z~3');
    expect(participation.commands.map(({ commandName }) => commandName)).toEqual([
      'find',
      'find',
      'find',
      'find',
      'find',
      'find',
    ]);
  });
});

describe('weeks in a row', () => {
  // A Wednesday.
  const now = new Date('2026-05-20T12:00:00Z');
  const at = (...days: string[]) => days.map((day) => new Date(`${day}T12:00:00Z`));

  it.each<[string, string[], number]>([
    ['nothing', [], 0],
    ['this week alone', ['2026-05-18'], 1],
    ['twice in a week', ['2026-05-18', '2026-05-19'], 1],
    ['last week, since this one is not over', ['2026-05-13'], 1],
    ['three weeks', ['2026-05-18', '2026-05-13', '2026-05-04'], 3],
    ['with two rests in May', ['2026-05-18', '2026-04-29'], 2],
    ['with two in May and two in April', ['2026-05-18', '2026-04-29', '2026-04-08'], 3],
    ['not over three in April', ['2026-05-18', '2026-05-13', '2026-05-04', '2026-04-29', '2026-03-31'], 4],
    ['not longer ago than that', ['2026-03-31'], 0],
    ['a Sunday and the Monday after it are two', ['2026-05-17', '2026-05-18'], 2],
  ])('of %s', (_what, days, expected) => {
    expect(weeksInARow(at(...days), now)).toBe(expected);
  });

  it('begin on Monday in UTC, wherever somebody is', () => {
    const days = [new Date('2026-05-17T23:59:59Z'), new Date('2026-05-18T00:00:00Z')];
    expect(weeksInARow(days, now)).toBe(2);
    expect(weeksInARow(days.slice(1), now)).toBe(1);
  });
});
