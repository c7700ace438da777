import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken, startIsolatedService } from '@wayquest/testing';
import { challengeDetails } from './challenge-details.ts';
import { unlimited } from './unlimited.ts';

/** A participation of a user and a challenge whose events have not arrived. */
const incompleteParticipation = {
  _id: 9_000_000,
  key: '99:400',
  userId: 99,
  challengeId: 400,
  completed: false,
  joinedAt: new Date(),
  outbox: [],
};

/** More participants than a visitor may page through. */
const crowd = Array.from({ length: 1_001 }, (_, index) => ({
  ...incompleteParticipation,
  _id: 10_000_000 + index,
  key: `${1_000 + index}:600`,
  userId: 1_000 + index,
  challengeId: 600,
}));

let service: IsolatedService;
beforeAll(async () => {
  service = await startIsolatedService({
    service: 'participation',
    create: unlimited(),
    stored: { participations: [incompleteParticipation, ...crowd] },
  });
});
afterAll(() => service?.stop());

const clientOf = (id: number, { admin = false } = {}) =>
  service.client(signToken({ sub: String(id), username: `p-${id}`, admin }));
const join = (challengeId: number, userId: number) =>
  clientOf(userId).joinChallenge({ body: { challengeId } });
const created = (id: number) =>
  service.deliver(newEvent('challenge.created.v1', { challenge: challengeDetails(id), version: 1 }));
const publishedFor = async (id: number) => {
  await service.settle();
  return service.published.flatMap(({ name, data }) =>
    'challengeId' in data && data.challengeId === id ? [name] : [],
  );
};

describe('a challenge in a snapshot', () => {
  const minutes = (n: number) => new Date(Date.now() + n * 60_000).toISOString();
  const updated = (name: string, version: number, at: { occurredAt?: string; replayed?: string } = {}) =>
    service.deliver({
      ...newEvent('challenge.updated.v1', { challenge: challengeDetails(501, { name }), version }),
      ...at,
    });
  const shown = async () =>
    (await clientOf(51).listParticipations())
      .filter(({ challengeId }) => challengeId === 501)
      .map(({ challenge }) => challenge.name);

  it('replaces the stored one, even of a higher version, unless an event arrived since the snapshot started', async () => {
    await created(501);
    await join(501, 51);
    await updated('Before the restore', 9);
    expect(await shown()).toEqual(['Before the restore']);
    // The owner's version is lower, and its snapshot started after the last event.
    await updated('Restored', 3, { occurredAt: minutes(2), replayed: minutes(1) });
    expect(await shown()).toEqual(['Restored']);
    await updated('Newer', 4, { occurredAt: minutes(5) });
    await updated('Outdated snapshot', 3, { occurredAt: minutes(4), replayed: minutes(3) });
    expect(await shown()).toEqual(['Newer']);
  });

  it('is restored if it was wrongly stored as deleted', async () => {
    await service.deliver(newEvent('challenge.deleted.v1', { challengeId: 502 }));
    await expect(join(502, 51)).rejects.toMatchObject({ status: 404 });
    await service.deliver({
      ...newEvent('challenge.updated.v1', { challenge: challengeDetails(502), version: 1 }),
      ...{ occurredAt: minutes(2), replayed: minutes(1) },
    });
    expect(await join(502, 51)).toMatchObject({ challenge: { name: 'Challenge 502' } });
  });
});

describe('a list of participations', () => {
  it('is paged: one’s own newest first, those of a challenge in the order of joining', async () => {
    for (const challenge of [101, 102, 103]) await created(challenge);
    for (const challenge of [101, 102, 103]) await join(challenge, 1);
    for (const user of [2, 3]) await join(101, user);
    const own = async (cursor?: number) =>
      (
        await clientOf(1).listParticipations({
          query: { limit: 2, ...(cursor && { cursor: String(cursor) }) },
        })
      ).map(({ id, challengeId }) => ({ id, challengeId }));
    const [newest, next] = await own();
    expect([newest?.challengeId, next?.challengeId]).toEqual([103, 102]);
    expect(await own(next?.id)).toMatchObject([{ challengeId: 101 }]);

    const of101 = async (cursor?: number) =>
      service.client().listParticipations({
        query: { challengeId: 101, limit: 2, ...(cursor && { cursor: String(cursor) }) },
      });
    const [first, second] = await of101();
    expect([first?.userId, second?.userId]).toEqual([1, 2]);
    expect(await of101(second?.id)).toMatchObject([{ userId: 3 }]);
  });

  it('omits a participation until the events of its user and challenge have arrived', async () => {
    const shown = () => service.client().listParticipations({ query: { challengeId: 400 } });
    expect(await shown()).toEqual([]);
    await created(400);
    expect(await shown()).toEqual([]);
    const request = { params: { id: incompleteParticipation._id }, body: { completed: false } };
    await expect(clientOf(99).updateParticipation(request)).rejects.toMatchObject({ status: 404 });
    const names = { username: 'p-99', firstName: '', lastName: '', city: '', state: '' };
    const user = { id: 99, ...names, avatar: 'explorer-99.svg', points: 0 };
    await service.deliver(newEvent('user.profile-changed.v1', { user, version: 1 }));
    expect(await shown()).toMatchObject([{ userId: 99, challengeId: 400 }]);
  });
});

describe('a participation', () => {
  it('is unchanged if it is set to not completed, and nothing is published', async () => {
    await created(201);
    const { id } = await join(201, 1);
    const request = { params: { id }, body: { completed: false } };
    expect(await clientOf(1).updateParticipation(request)).toMatchObject({
      completed: false,
      completedAt: null,
    });
    expect(await publishedFor(201)).toEqual(['challenge.joined.v1']);
  });

  it('is published when it is created, completed and deleted, and not stored afterwards', async () => {
    await created(202);
    const params = { id: (await join(202, 1)).id };
    expect(await publishedFor(202)).toEqual(['challenge.joined.v1']);
    await clientOf(1).updateParticipation({ params, body: { completed: true } });
    expect((await publishedFor(202)).slice(1)).toEqual(['challenge.completed.v1']);
    await clientOf(900, { admin: true }).leaveChallenge({ params });
    expect((await publishedFor(202)).slice(2)).toEqual(['challenge.left.v1']);
    // No deleted participation remains in the store.
    expect((await service.read('participations')).filter(({ challengeId }) => challengeId === 202)).toEqual(
      [],
    );
  });
});

describe('a challenge', () => {
  it('that is deleted cannot be joined, and nothing is published', async () => {
    await created(301);
    await service.deliver(newEvent('challenge.deleted.v1', { challengeId: 301 }));
    await expect(join(301, 1)).rejects.toMatchObject({ problem: { code: 'challenge-not-found' } });
    expect(await publishedFor(301)).toEqual([]);
  });

  it('that is unknown cannot be joined while its service is unavailable: 503, not 404', async () => {
    await expect(join(302, 1)).rejects.toMatchObject({ status: 503 });
  });
});

it('shows members the times of joining and completion, and visitors only the day of joining', async () => {
  await created(601);
  const { id } = await join(601, 61);
  await clientOf(61).updateParticipation({ params: { id }, body: { completed: true } });
  const query = { challengeId: '601' };
  const [asMember] = await clientOf(62).listParticipations({ query });
  const [asVisitor] = await service.client().listParticipations({ query });
  expect(asMember?.completedAt).toEqual(expect.any(String));
  const day = `${asMember?.joinedAt.slice(0, 10)}T00:00:00.000Z`;
  expect(asVisitor).toEqual({ ...asMember, joinedAt: day, completedAt: null });
});

it('lets visitors page through a thousand participants, and members through all', async () => {
  const after = (id: number) => ({ query: { challengeId: '600', cursor: String(id) } });
  await expect(service.client().listParticipations(after(10_000_999))).rejects.toMatchObject({
    problem: { code: 'unauthenticated' },
  });
  await expect(service.client().listParticipations(after(10_000_998))).resolves.toEqual(expect.any(Array));
  await expect(clientOf(62).listParticipations(after(10_000_999))).resolves.toEqual(expect.any(Array));
});

describe('the latest completions of users', () => {
  const complete = async (challengeId: number, userId: number) => {
    const { id } = await join(challengeId, userId);
    await clientOf(userId).updateParticipation({ params: { id }, body: { completed: true } });
  };
  const latest = async (ids: number[], limit = 10) =>
    (await clientOf(70).listCompletions({ query: { ids: ids.join(','), limit } })).map(
      ({ userId, challengeId }) => [userId, challengeId],
    );

  beforeAll(async () => {
    for (const challenge of [701, 702, 703]) await created(challenge);
    await complete(701, 71);
    await complete(702, 72);
    await complete(703, 73);
    await complete(702, 71);
    await join(703, 71);
  });

  it('contain only the requested users, newest first, and no uncompleted participations', async () => {
    expect(await latest([71, 72])).toEqual([
      [71, 702],
      [72, 702],
      [71, 701],
    ]);
    expect(await latest([71, 72], 1)).toEqual([[71, 702]]);
    expect(await latest([79])).toEqual([]);
  });

  it('need five store commands', async () => {
    const client = clientOf(70);
    const list = () => client.listCompletions({ query: { ids: '71,72,73' } });
    await list();
    await service.settle();
    service.commands.length = 0;
    await list();
    expect(service.commands.map(({ commandName }) => commandName)).toEqual(Array(5).fill('find'));
  });

  it('require a login, and are limited to a hundred users', async () => {
    await expect(service.client().listCompletions({ query: { ids: '71' } })).rejects.toMatchObject({
      status: 401,
    });
    const tooMany = Array.from({ length: 101 }, (_, index) => index + 1);
    await expect(latest(tooMany)).rejects.toMatchObject({ status: 400 });
  });

  it('can be limited to one challenge, and contain no other users', async () => {
    const found = await clientOf(70).listParticipations({ query: { challengeId: '703', ids: '71,72,79' } });
    expect(found.map(({ userId }) => userId)).toEqual([71]);
  });

  it('are separate from the user’s own uncompleted participations', async () => {
    const uncompleted = await clientOf(71).listParticipations({ query: { completed: 'false' } });
    expect(uncompleted.map(({ challengeId }) => challengeId)).toEqual([703]);
    const done = await clientOf(71).listParticipations({ query: { completed: 'true' } });
    expect(done.map(({ challengeId }) => challengeId)).toEqual([702, 701]);
  });
});
