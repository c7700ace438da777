import type { Client } from '@wayquest/contracts';
import {
  type Network,
  newChallenge,
  newEvent,
  newUser,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';

let network: Network;
let admin: Client;
beforeAll(async () => {
  const others = ['friends', 'chat', 'moderation'] as const;
  network = await startNetwork({ services: ['auth', 'users', 'challenges', 'participation', ...others] });
  const { me, username } = await newUser(network);
  admin = network.client(network.signToken({ sub: String(me.id), username, admin: true }));
});
afterAll(() => network?.stop());

const reportedBy = async (people: TestUser[], kind: 'challenge' | 'user', id: number) => {
  for (const { client } of people) await client.report({ body: { kind, id, reason: 'spam' } });
  await network.settle();
};

const decide = async (
  id: string,
  action: 'hide' | 'delete' | 'suspend' | 'restore' | 'uphold' | 'dismiss',
): Promise<string> => {
  const body = { action, ...(action === 'suspend' && { days: 7 }) };
  const outcome = await admin.decide({ params: { id }, body }).then(
    ({ state }) => state,
    (error) => error.problem?.code,
  );
  await network.settle();
  return outcome;
};

const newCases = async () => {
  const [maker, reporter] = [await newUser(network), await newUser(network)];
  const { id } = await newChallenge(maker);
  await network.settle();
  await reportedBy([reporter], 'challenge', id);
  await reportedBy([reporter], 'user', maker.me.id);
  return { challenge: `challenge-${id}`, user: `user-${maker.me.id}` };
};

it('lists cases of the same weight by age, in pages of which none repeats a case', async () => {
  const [maker, ...people] = await Promise.all([1, 2, 3].map(() => newUser(network)));
  if (!maker) throw new Error('nobody');
  const [older, newer, heavier] = [
    await newChallenge(maker),
    await newChallenge(maker),
    await newChallenge(maker),
  ];
  await network.settle();
  for (const { id } of [older, newer]) await reportedBy(people.slice(0, 1), 'challenge', id);
  await reportedBy(people, 'challenge', heavier.id);
  const pageAfter = async (cursor: string) => {
    let next = '';
    const onHeaders = (headers: Headers) => {
      next = headers.get('link') ?? '';
    };
    const [found] = await admin.listCases({ query: { limit: 1, ...(cursor && { cursor }) } }, { onHeaders });
    const url = new URL(/<(.*?)>/.exec(next)?.[1] ?? '', network.url);
    return { id: found?.id, cursor: url.searchParams.get('cursor') ?? '' };
  };
  const first = await pageAfter('');
  const second = await pageAfter(first.cursor);
  const third = await pageAfter(second.cursor);
  expect([first, second, third].map(({ id }) => id)).toEqual(
    [heavier, older, newer].map(({ id }) => `challenge-${id}`),
  );
});

it('keeps the reports of others when an account is deleted', async () => {
  const [maker, leaving, staying] = await Promise.all([1, 2, 3].map(() => newUser(network)));
  if (!maker || !leaving || !staying) throw new Error('nobody');
  const { id } = await newChallenge(maker);
  await network.settle();
  await reportedBy([leaving, staying], 'challenge', id);
  const caseOf = () => admin.getCase({ params: { id: `challenge-${id}` } });
  expect(await caseOf()).toMatchObject({ reports: 2 });
  await network.publish(newEvent('user.deleted.v1', { id: leaving.me.id }));
  await network.settle();
  const { reports, filed } = await caseOf();
  expect([reports, filed.map(({ by }) => by?.id)]).toEqual([1, [staying.me.id]]);
});

it('hides and deletes content, which nothing brings back once it is deleted', async () => {
  const { challenge } = await newCases();
  for (const action of ['restore', 'uphold'] as const)
    expect(await decide(challenge, action)).toBe('nothing-to-decide');
  expect(await decide(challenge, 'hide')).toBe('hidden');
  expect(await decide(challenge, 'restore')).toBe('live');
  expect(await decide(challenge, 'delete')).toBe('deleted');
  for (const action of ['hide', 'delete', 'restore', 'uphold'] as const)
    expect(await decide(challenge, action)).toBe('nothing-to-decide');
});

it('suspends users, and neither hides nor deletes them', async () => {
  const { user } = await newCases();
  for (const action of ['hide', 'delete', 'restore', 'uphold'] as const)
    expect(await decide(user, action)).toBe('nothing-to-decide');
  expect(await decide(user, 'suspend')).toBe('live');
  expect((await admin.getCase({ params: { id: user } })).suspendedUntil).not.toBeNull();
  expect(await decide(user, 'dismiss')).toBe('live');
  expect((await admin.getCase({ params: { id: user } })).suspendedUntil).toBeNull();
});

it('counts an appeal against reports alone like three of them, until an admin decides', async () => {
  const [maker, ...people] = await Promise.all([1, 2, 3, 4].map(() => newUser(network)));
  if (!maker) throw new Error('nobody');
  const { id } = await newChallenge(maker);
  await network.settle();
  await reportedBy(people, 'challenge', id);
  const caseOf = async () => admin.getCase({ params: { id: `challenge-${id}` } });
  expect(await caseOf()).toMatchObject({ state: 'hidden', reports: 3, weight: 3, open: true });
  await maker.client.appeal({ body: { caseId: `challenge-${id}`, comment: 'It is a walk' } });
  await network.settle();
  expect(await caseOf()).toMatchObject({ reports: 3, weight: 6, open: true });
  // Also after a further report, for which everything is counted again.
  await reportedBy([await newUser(network)], 'challenge', id);
  expect(await caseOf()).toMatchObject({ reports: 4, weight: 7, open: true });
  expect(await decide(`challenge-${id}`, 'uphold')).toBe('hidden');
  expect(await caseOf()).toMatchObject({ reports: 0, weight: 0, open: false });
});
