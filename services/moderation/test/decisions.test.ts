import { type Client, createClient } from '@wayquest/contracts';
import {
  type Network,
  newChallenge,
  newEvent,
  newUser,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';
import { checkAudit } from '../src/index.ts';

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

it('forgets a deleted account: its own case, its notes, its appeal, and what reporters wrote about it', async () => {
  const [leaving, owner, ...people] = await Promise.all([1, 2, 3, 4, 5].map(() => newUser(network)));
  if (!leaving || !owner) throw new Error('nobody');
  const [own, other] = [await newChallenge(leaving), await newChallenge(owner)];
  const participation = await leaving.client.joinChallenge({ body: { challengeId: other.id } });
  const params = { id: participation.id };
  await leaving.client.updateParticipation({ params, body: { completed: true } });
  await leaving.client.updateNote({ params, body: { note: 'It rained' } });
  await network.settle();
  const reported = [
    { kind: 'challenge', id: own.id },
    { kind: 'user', id: leaving.me.id },
    { kind: 'completion', id: participation.id },
  ] as const;
  for (const { client } of people)
    for (const subject of reported)
      await client.report({ body: { ...subject, reason: 'spam', comment: 'A lie' } });
  await network.settle();
  const caseIds = reported.map(({ kind, id }) => `${kind}-${id}`);
  const [caseId = ''] = caseIds;
  await leaving.client.appeal({ body: { caseId, comment: 'It is a walk' } });
  const kept = () =>
    Promise.all(
      caseIds.map((id) =>
        admin.getCase({ params: { id } }).then(
          ({ appeal, filed }) => [appeal?.comment, ...filed.map(({ comment }) => comment)],
          (error) => error.problem?.code,
        ),
      ),
    );
  const lies = ['A lie', 'A lie', 'A lie'];
  expect(await kept()).toEqual([
    ['It is a walk', ...lies],
    [undefined, ...lies],
    [undefined, ...lies],
  ]);

  await network.publish(newEvent('user.deleted.v1', { id: leaving.me.id }));
  await network.settle();
  expect(await kept()).toEqual([['', '', '', ''], 'case-not-found', 'case-not-found']);
});

it('decides nothing about a challenge that its creator has deleted', async () => {
  const [maker, reporter] = [await newUser(network), await newUser(network)];
  const { id } = await newChallenge(maker);
  await network.settle();
  await reportedBy([reporter], 'challenge', id);
  await maker.client.deleteChallenge({ params: { id } });
  await network.settle();
  expect(await admin.getCase({ params: { id: `challenge-${id}` } })).toMatchObject({ state: 'deleted' });
  expect(await decide(`challenge-${id}`, 'hide')).toBe('nothing-to-decide');
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

it('tells the owner the reason of a decision, and the note to admins only (53, finding 27)', async () => {
  const [maker, reporter] = [await newUser(network), await newUser(network)];
  const { id } = await newChallenge(maker);
  await network.settle();
  await reportedBy([reporter], 'challenge', id);
  const params = { id: `challenge-${id}` };
  const texts = { note: 'The third one', reason: 'It leads over a private road' };
  const { audit } = await admin.decide({ params, body: { action: 'hide', ...texts } });
  expect(audit).toMatchObject([{ action: 'hide', ...texts }]);
  await network.settle();
  const [decision] = await maker.client.listOwnDecisions();
  expect(decision).toMatchObject({ action: 'hide', reason: texts.reason });
  expect(JSON.stringify(decision)).not.toContain(texts.note);
  // Users calls it for the archive.
  const baseUrl = network.services.moderation.url();
  const moderation = createClient({ baseUrl, token: () => maker.token });
  const archived = await moderation.listOwnModerationData({ query: { cursor: '1' } });
  expect(JSON.stringify(archived)).toContain(texts.reason);
  expect(JSON.stringify(archived)).not.toContain(texts.note);
  const { mongoUrl, databasePrefix, logger } = network;
  expect((await checkAudit({ mongoUrl, databasePrefix, logger })).violations).toEqual([]);
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
  expect((await caseOf()).audit.map(({ action }) => action).toSorted()).toEqual(['appeal', 'hide']);
  // Also after a further report, for which everything is counted again.
  await reportedBy([await newUser(network)], 'challenge', id);
  expect(await caseOf()).toMatchObject({ reports: 4, weight: 7, open: true });
  expect(await decide(`challenge-${id}`, 'uphold')).toBe('hidden');
  expect(await caseOf()).toMatchObject({ reports: 0, weight: 0, open: false });
});
