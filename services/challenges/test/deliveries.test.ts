import { type Challenge, createClient } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import type { ServiceDeps } from '@wayquest/platform/service';
import {
  afterTest,
  createTestClock,
  expectSameResponses,
  type Network,
  newChallenge,
  newUser,
  readCollections,
  recordEvents,
  signToken,
  startIsolatedService,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';
import { createChallengesService } from '../src/index.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'challenges', 'participation', 'places'] });
});
afterAll(() => network?.stop());

const create = (deps: ServiceDeps) =>
  createChallengesService({
    ...deps,
    placesUrl: () => 'http://127.0.0.1:9',
    allowances: { perMinute: 1_000, perDay: 1_000 },
  });

it('shows the same challenges, in lists and on the map, in whatever order its events arrive', async () => {
  const [ann, bob] = [await newUser(network), await newUser(network)];
  const place = { lat: 40.74, lng: -73.84 };
  const park = await newChallenge(ann, { city: 'Corona', position: place });
  const deleted = await newChallenge(ann, { city: 'Corona', position: { lat: 40.75, lng: -73.85 } });
  const unlocated = await newChallenge(ann, { city: 'Corona' });
  await network.settle();
  const stored = await readCollections(network, 'challenges', ['challenges']);
  const history = recordEvents(network);

  const admin = network.client(network.signToken({ sub: '900001', admin: true }));
  const join = async ({ client }: TestUser, { id: challengeId }: Challenge) => ({
    params: { id: (await client.joinChallenge({ body: { challengeId } })).id },
  });
  await join(bob, deleted);
  await join(ann, park);
  await bob.client.leaveChallenge(await join(bob, park));
  await join(bob, park);
  await ann.client.leaveChallenge(await join(ann, unlocated));
  await network.bus.publish(
    newEvent('challenge.located.v1', { challengeId: unlocated.id, position: { lat: 40.76, lng: -73.86 } }),
  );
  await network.bus.publish(newEvent('challenge.located.v1', { challengeId: park.id, position: place }));
  for (const name of ['two', 'three']) {
    await ann.client.updateMe({ body: { username: `${ann.username}-${name}` } });
  }
  await admin.deleteChallenge({ params: { id: deleted.id } });
  await network.settle();

  const tokens = [ann, bob].map(({ me }) => network.signToken({ sub: String(me.id) }));
  const responsesOf = async (clientOf: Network['client']) => ({
    all: await clientOf().listChallenges(),
    own: await Promise.all(tokens.map((token) => clientOf(token).listChallenges())),
    map: await clientOf().listChallengeClusters({ query: { bbox: '-74,40,-73,41', zoom: 14 } }),
  });
  const responses = await expectSameResponses({
    service: 'challenges',
    create,
    stored,
    history,
    // Events about it may arrive after its deletion.
    prepare: ({ client }) =>
      client(network.signToken({ admin: true })).deleteChallenge({ params: { id: deleted.id } }),
    readResponses: ({ client }) => responsesOf(client),
  });
  expect(responses).toEqual(await responsesOf(network.client));
  const creator = { username: `${ann.username}-three` };
  expect(responses.all).toMatchObject([
    { id: unlocated.id, creator, participants: 0, position: { lat: 40.76 } },
    { id: park.id, creator, participants: 2 },
  ]);
  expect(responses.map).toHaveLength(2);
});

it('uses one position if several arrive concurrently', async () => {
  const challenges = await startIsolatedService({ service: 'challenges', create });
  const ann = challenges.client(signToken({ sub: '7', username: 'ann' }));
  const places = [1, 2, 3, 4].map((n) => ({ lat: 48.85 + n / 1_000, lng: 2.352 }));
  const body = { name: 'A walk', difficulty: 'Easy' as const };
  // Opens as many connections to the store, so that the deliveries below are concurrent.
  await Promise.all(places.map((position) => ann.createChallenge({ body: { ...body, position } })));
  const { id: challengeId } = await ann.createChallenge({ body });
  await Promise.all(
    places.map((position) => challenges.deliver(newEvent('challenge.located.v1', { challengeId, position }))),
  );
  await challenges.settle();
  const { position } = await ann.getChallenge({ params: { id: challengeId } });
  expect(challenges.published.filter(({ name }) => name === 'challenge.updated.v1')).toEqual([
    expect.objectContaining({ data: { challenge: expect.objectContaining({ position }), version: 2 } }),
  ]);
  await challenges.stop();
});

it('creates another challenge for an idempotency key that is more than a day old', async () => {
  const clock = createTestClock(Date.now());
  const challenges = await startIsolatedService({ service: 'challenges', create, clock });
  const client = createClient({
    baseUrl: challenges.url,
    token: () => signToken({ sub: '7', username: 'ann' }),
    makeKey: () => 'one',
  });
  const make = async () =>
    (await client.createChallenge({ body: { name: 'A walk', difficulty: 'Easy' } })).id;
  const first = await make();
  await clock.advance(23 * 3_600_000);
  expect(await make()).toBe(first);
  await clock.advance(2 * 3_600_000);
  const second = await make();
  expect(second).not.toBe(first);
  expect(await make()).toBe(second);
  await challenges.stop();
});

describe('the picture of a challenge (53, finding 17)', () => {
  const started = async () => {
    const challenges = await startIsolatedService({ service: 'challenges', create });
    afterTest(() => challenges.stop());
    const maker = challenges.client(signToken({ sub: '7', username: 'ann' }));
    const { id } = await maker.createChallenge({ body: { name: 'A walk', difficulty: 'Easy' } });
    const pictureOf = async (token?: string) =>
      (await challenges.client(token).getChallenge({ params: { id } })).picture?.photo;
    return { challenges, maker, id, pictureOf };
  };
  const photo = (nth: number) => ({ completionId: nth, userId: 100 + nth, photo: `photo-${nth}` });
  const changed = (challengeId: number, version: number, nth: number | null) =>
    newEvent('challenge.picture-changed.v1', { challengeId, version, picture: nth ? photo(nth) : null });

  it('is the newest version, in whatever order and however often its events arrive, and published once for each', async () => {
    const { challenges, id, pictureOf } = await started();
    for (const [version, nth] of [
      [2, 2],
      [1, 1],
      [2, 2],
    ] as const)
      await challenges.deliver(changed(id, version, nth));
    expect(await pictureOf()).toBe('photo-2');
    await challenges.settle();
    expect(challenges.published).toMatchObject([
      { name: 'challenge.created.v1' },
      { name: 'challenge.updated.v1', data: { challenge: { picture: photo(2) }, version: 2 } },
    ]);
    await challenges.deliver(changed(id, 3, null));
    expect(await pictureOf()).toBeUndefined();
    // Of a challenge that is deleted, or does not exist.
    await challenges.deliver(changed(id + 1, 1, 1));
  });

  it('stays when its creator edits the challenge', async () => {
    const { challenges, maker, id, pictureOf } = await started();
    await challenges.deliver(changed(id, 1, 1));
    const body = { name: 'Another walk', difficulty: 'Easy' } as const;
    expect(await maker.updateChallenge({ params: { id }, body })).toMatchObject({ picture: photo(1) });
    expect(await pictureOf()).toBe('photo-1');
  });

  it('is gone with the account of its person, and does not come back by a late event', async () => {
    const { challenges, id, pictureOf } = await started();
    await challenges.deliver(changed(id, 1, 1));
    await challenges.deliver(newEvent('user.deleted.v1', { id: photo(1).userId }));
    expect(await pictureOf()).toBeUndefined();
    await challenges.deliver(changed(id, 2, 1));
    expect(await pictureOf()).toBeUndefined();
    await challenges.deliver(changed(id, 3, 2));
    expect(await pictureOf()).toBe('photo-2');
  });

  it('is left out for readers who and its person have blocked each other, in lists for one more command', async () => {
    const { challenges, maker, id, pictureOf } = await started();
    await challenges.deliver(changed(id, 1, 1));
    const block = { blockId: 1, userId: photo(1).userId, blockedId: 5, version: 1 };
    await challenges.deliver(newEvent('user.blocked.v1', block));
    const [blocked, other] = ['5', '6'].map((sub) => signToken({ sub, username: `user-${sub}` }));
    expect(await pictureOf(blocked)).toBeUndefined();
    expect([await pictureOf(other), await pictureOf()]).toEqual(['photo-1', 'photo-1']);

    const list = async () => {
      // The events of the changes are published by then, which takes commands, too.
      await challenges.settle();
      challenges.commands.length = 0;
      const listed = await challenges.client(blocked).listChallenges({ query: { scope: 'all' } });
      return [listed.length, listed.filter(({ picture }) => picture).length, challenges.commands.length];
    };
    const [, , commands] = await list();
    expect(await list()).toEqual([1, 0, commands]);
    for (let nth = 2; nth <= 20; nth += 1) {
      const made = await maker.createChallenge({ body: { name: `Walk ${nth}`, difficulty: 'Easy' } });
      await challenges.deliver(changed(made.id, 1, nth));
    }
    expect(await list()).toEqual([20, 19, commands]);
    await challenges.deliver(newEvent('user.unblocked.v1', { ...block, version: 2 }));
    expect(await list()).toEqual([20, 20, commands]);
  });
});
