import { wayquestCreator } from '@wayquest/contracts';
import { type Network, newUser, recordEvents, startNetwork, type TestUser } from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'challenges', 'participation', 'places'] });
});
afterAll(() => network?.stop());

const suggestionIn = async (at: string) => {
  const [first] = await network.client().listSuggestions({ query: { at } });
  if (!first) throw new Error(`there is no suggestion at ${at}`);
  return first;
};
const create = ({ client }: TestUser, suggestion: string) =>
  client.createSuggestedChallenge({ body: { suggestion } });
const notFound = { status: 404, problem: { code: 'suggestion-not-found' } };

it('creates the challenge of a suggestion once, for any user and for concurrent calls', async () => {
  const people = await Promise.all([newUser(network), newUser(network), newUser(network)]);
  const published = recordEvents(network);
  const suggestion = await suggestionIn('52.52,13.405');
  const created = await Promise.all(people.map((person) => create(person, suggestion.id)));
  const [first] = created;
  expect(new Set(created.map(({ id }) => id)).size).toBe(1);
  const { id, ...expected } = suggestion;
  expect(first).toMatchObject({
    ...expected,
    suggestion: id,
    creator: wayquestCreator,
    timeZone: 'Europe/Berlin',
  });
  await network.settle();
  const events = published.filter(({ name }) => name === 'challenge.created.v1');
  expect(new Set(events.map(({ id: eventId }) => eventId)).size).toBe(1);
  const query = { near: '52.52,13.405', scope: 'all' } as const;
  expect((await network.client().listChallenges({ query })).map((one) => one.id)).toEqual([first?.id]);
});

it('can be joined and completed like any other challenge, with points', async () => {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  const challenge = await create(ann, (await suggestionIn('25.05,121.53')).id);
  for (const { client } of [ann, bob]) {
    const participation = await client.joinChallenge({ body: { challengeId: challenge.id } });
    await client.updateParticipation({ params: { id: participation.id }, body: { completed: true } });
    const { points } = await client.awardPoints({ body: { challengeId: challenge.id } });
    expect(points).toBe(challenge.points);
  }
});

it('has no owner: the user who caused its creation can neither change nor delete it', async () => {
  const ann = await newUser(network);
  const { id } = await create(ann, (await suggestionIn('48.8566,2.3522')).id);
  const body = { name: 'Mine', difficulty: 'Easy' } as const;
  const forbidden = { status: 403, problem: { code: 'forbidden' } };
  await expect(ann.client.updateChallenge({ params: { id }, body })).rejects.toMatchObject(forbidden);
  await expect(ann.client.deleteChallenge({ params: { id } })).rejects.toMatchObject(forbidden);
});

it('names its template, until an admin changes the texts (53, finding 5)', async () => {
  const ann = await newUser(network);
  const suggestion = await suggestionIn('59.9139,10.7522');
  const { id, ...created } = await create(ann, suggestion.id);
  expect(created.template).toEqual({ key: expect.any(String), place: 'Oslo' });
  expect(created).toMatchObject({ name: suggestion.name, template: suggestion.template });
  const admin = network.client(network.signToken({ sub: '900001', username: 'warden', admin: true }));
  const change = (changes: { name?: string; difficulty?: 'Hard' }) =>
    admin.updateChallenge({ params: { id }, body: { ...created, ...changes } });
  expect(await change({ difficulty: 'Hard' })).toMatchObject({ template: suggestion.template });
  expect(await change({ name: 'Walk around' })).not.toHaveProperty('template');
});

it('counts a check-in anywhere in its town, and none out of it (53, finding 3)', async () => {
  const reykjavik = { lat: 64.1355, lng: -21.8954 };
  const suggestion = await suggestionIn(`${reykjavik.lat},${reykjavik.lng}`);
  for (const [meters, checkedIn] of [
    [0, true],
    [5_000, true],
    [10_000, false],
  ] as const) {
    const { client } = await newUser(network);
    const { id } = await client.createSuggestedChallenge({ body: { suggestion: suggestion.id } });
    const participation = await client.joinChallenge({ body: { challengeId: id } });
    const position = { ...reykjavik, lat: reykjavik.lat - meters / 111_195, accuracy: 10, secondsAgo: 1 };
    const completed = await client.updateParticipation({
      params: { id: participation.id },
      body: { completed: true, position },
    });
    expect(completed.checkedIn).toBe(checkedIn);
  }
});

it('stays deleted after an admin deleted it', async () => {
  const ann = await newUser(network);
  const admin = network.client(network.signToken({ sub: '900001', username: 'warden', admin: true }));
  const suggestion = await suggestionIn('41.9,12.49');
  const { id } = await create(ann, suggestion.id);
  await admin.deleteChallenge({ params: { id } });
  await expect(create(ann, suggestion.id)).rejects.toMatchObject(notFound);
});

it('rejects a suggestion that is unknown', async () => {
  const ann = await newUser(network);
  await expect(create(ann, '52.5244_13.4105_palace')).rejects.toMatchObject(notFound);
  await expect(create(ann, 'somewhere')).rejects.toMatchObject({
    status: 400,
    problem: { code: 'invalid-request', errors: [{ field: 'suggestion' }] },
  });
});
