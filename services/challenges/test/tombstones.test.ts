import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken, startIsolatedService } from '@wayquest/testing';
import { createChallengesService } from '../src/index.ts';

const bbox = '-74,40,-73,41';
let challenges: IsolatedService;
let existing: number;
let deleted: number;
beforeAll(async () => {
  challenges = await startIsolatedService({
    service: 'challenges',
    create: (deps) =>
      createChallengesService({
        ...deps,
        placesUrl: () => 'http://127.0.0.1:9',
        allowances: { perMinute: 1_000, perDay: 1_000 },
      }),
  });
  const make = async (position?: { lat: number; lng: number }) => {
    const body = { name: 'Lighthouse walk', difficulty: 'Easy' as const, ...(position && { position }) };
    return (await ann().createChallenge({ body })).id;
  };
  existing = await make({ lat: 40.74, lng: -73.84 });
  deleted = await make({ lat: 40.74, lng: -73.85 });
  const unlocated = await make();
  await challenges.settle();
  challenges.setBusUnavailable(true);
  for (const id of [deleted, unlocated]) await admin().deleteChallenge({ params: { id } });
});
afterAll(() => challenges?.stop());

const ann = () => challenges.client(signToken({ sub: '7', username: 'ann' }));
const admin = () => challenges.client(signToken({ sub: '900001', admin: true }));

describe('a deleted challenge whose event is not published yet', () => {
  it.each([
    ['all challenges', { scope: 'all' }],
    ['own challenges', { scope: 'mine' }],
    ['a text search', { search: 'lighthouse' }],
    ['a box', { bbox }],
    ['a distance', { near: '40.74,-73.84' }],
    ['a difficulty and open ones', { difficulty: 'easy', open: 'true' }],
  ])('is in no list: %s', async (_, query) => {
    expect((await ann().listChallenges({ query: query as object })).map(({ id }) => id)).toEqual([existing]);
  });

  it('is not on the map of a search or of own challenges', async () => {
    for (const query of [{ search: 'lighthouse' }, { scope: 'mine' as const }]) {
      const clusters = await ann().listChallengeClusters({ query: { ...query, bbox, zoom: 14 } });
      expect(clusters.map(({ newest }) => newest)).toEqual([existing]);
    }
  });

  it('cannot be read, deleted or located', async () => {
    await expect(ann().getChallenge({ params: { id: deleted } })).rejects.toMatchObject({ status: 404 });
    await expect(admin().deleteChallenge({ params: { id: deleted } })).rejects.toMatchObject({ status: 404 });
    const before = await challenges.read('challenges');
    const position = { lat: 40.7, lng: -73.8 };
    for (const { _id } of before) {
      await challenges.deliver(newEvent('challenge.located.v1', { challengeId: Number(_id), position }));
    }
    expect(await challenges.read('challenges')).toEqual(before);
  });
});
