import { type Client, createClient, type Event, operations, operationUrl } from '@wayquest/contracts';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  befriend,
  eventually,
  type Network,
  newChallenge,
  newEvent,
  newUser,
  recordEvents,
  startNetwork,
  type TestUser,
  testPassword,
  withServiceStore,
} from '@wayquest/testing';
import type { Collection } from 'mongoose';
import { register } from 'prom-client';
import { checkAudit, endSuspension, suspendUser } from '../src/index.ts';
import { solve } from './solving.ts';

let network: Network;
let published: Event[];
let admin: Client;
let adminName: string;

beforeAll(async () => {
  const others = ['friends', 'chat', 'notifications', 'moderation'] as const;
  network = await startNetwork({
    services: ['auth', 'users', 'challenges', 'participation', ...others],
    settings: { SITE_NAME: 'Fox & Goat' },
  });
  published = recordEvents(network);
  const { me, username } = await newUser(network);
  adminName = username;
  admin = network.client(network.signToken({ sub: String(me.id), username, admin: true }));
});
afterAll(() => network?.stop());

const reporters = (count: number) => Promise.all(Array.from({ length: count }, () => newUser(network)));

/** Creates users without signing them up, which would take long. */
const manyReporters = (count: number) =>
  Array.from({ length: count }, (_, nth) => {
    const [id, username] = [1_000_000_000 + nth, `reporter-${nth}`];
    const token = network.signToken({ sub: String(id), username });
    return { id, username, client: network.client(token) };
  });

/** Creates a challenge, and waits until all services know it. */
const challengeOf = async (maker: TestUser) => {
  const challenge = await newChallenge(maker, { position: { lat: 40.76, lng: -73.82 } });
  await network.settle();
  return challenge;
};

const report = ({ client }: Pick<TestUser, 'client'>, id: number, kind: 'challenge' | 'user' = 'challenge') =>
  client.report({ body: { kind, id, reason: 'spam', comment: 'It sells something' } });

const reportAll = async (reporters: Pick<TestUser, 'client'>[], id: number) => {
  await Promise.all(reporters.map((reporter) => report(reporter, id)));
  await network.settle();
};

const decisionsAbout = (caseId: string) =>
  published.filter((event) => event.name === 'moderation.decided.v1' && event.data.caseId === caseId);

const newestOf = async (client: Client) =>
  (await client.listChallenges({ query: { scope: 'all', limit: 5 } })).map(({ id }) => id);

const inView = async (client: Client) => {
  const query = { scope: 'all' as const, bbox: '-73.83,40.75,-73.81,40.77', zoom: 3 };
  const [view, clusters] = [
    await client.viewChallenges({ query }),
    await client.listChallengeClusters({ query }),
  ];
  return [view.challenges.length, clusters.reduce((sum, { count }) => sum + count, 0)];
};

it('50 concurrent reports hide a challenge once, and an accepted appeal restores it everywhere', async () => {
  const [maker, joined, stranger] = [await newUser(network), await newUser(network), await newUser(network)];
  const { id, name: challengeName } = await newChallenge(maker, {
    ...{ position: { lat: 40.76, lng: -73.82 }, name: 'The walk that is reported' },
  });
  await network.settle();
  await joined.client.joinChallenge({ body: { challengeId: id } });
  const done = await newUser(network);
  const completedParticipation = await done.client.joinChallenge({ body: { challengeId: id } });
  await done.client.updateParticipation({
    params: { id: completedParticipation.id },
    body: { completed: true },
  });
  await network.settle();
  /** Whether the challenge is in a user's latest completions, and in their trail book. */
  const seenIn = async (client: Client) => {
    const completions = await client.listCompletions({ query: { ids: String(done.me.id) } });
    const trail = await client.getTrailBook({ params: { id: done.me.id } });
    return [completions, trail].map((response) => JSON.stringify(response).includes(`"${challengeName}"`));
  };
  expect(await seenIn(stranger.client)).toEqual([true, true]);
  const caseId = `challenge-${id}`;
  const many = manyReporters(50);
  const before = await inView(stranger.client);
  await reportAll(many, id);

  expect(decisionsAbout(caseId)).toHaveLength(1);
  const moderationCase = await admin.getCase({ params: { id: caseId } });
  expect(moderationCase).toMatchObject({ state: 'hidden', open: true, reports: 50, weight: 50 });
  expect(moderationCase.audit).toMatchObject([{ action: 'hide', by: null }]);
  expect(moderationCase.filed).toHaveLength(50);

  // Hidden from others in lists, on the map and in counts, but not from its creator and admins.
  for (const { client } of [stranger, joined]) expect(await seenIn(client)).toEqual([false, false]);
  // The user who completed it still has it in their own trail book.
  expect((await seenIn(done.client))[1]).toBe(true);
  for (const client of [network.client(), stranger.client, joined.client])
    await expect(client.getChallenge({ params: { id } })).rejects.toMatchObject({
      problem: { code: 'challenge-not-found' },
    });
  expect(await newestOf(stranger.client)).not.toContain(id);
  expect(await inView(stranger.client)).toEqual(before.map((count) => count - 1));
  await expect(stranger.client.joinChallenge({ body: { challengeId: id } })).rejects.toMatchObject({
    status: 404,
  });
  expect(await stranger.client.listParticipations({ query: { challengeId: String(id) } })).toEqual([]);
  for (const client of [maker.client, admin])
    expect(await client.getChallenge({ params: { id } })).toMatchObject({ id, status: 'hidden' });
  expect((await maker.client.listChallenges()).map((each) => each.id)).toContain(id);
  // A participant keeps their participation, but cannot complete it while it is hidden.
  const [participation] = await joined.client.listParticipations();
  expect(participation).toMatchObject({ challengeId: id, challenge: { status: 'hidden' } });
  await expect(
    joined.client.updateParticipation({ params: { id: participation?.id ?? 0 }, body: { completed: true } }),
  ).rejects.toMatchObject({ problem: { code: 'challenge-hidden' } });

  // Its creator is notified, and can appeal once.
  expect(await maker.client.listNotifications()).toMatchObject([
    { kind: 'moderation-decided', change: 'hidden', challenge: { id } },
    ...[{}, {}],
  ]);
  expect(await maker.client.listOwnDecisions()).toMatchObject([
    { caseId, action: 'hide', byReports: true, mayAppeal: true },
  ]);
  const appeal = { caseId, comment: 'It is a walk, nothing else' };
  await expect(stranger.client.appeal({ body: appeal })).rejects.toMatchObject({ status: 403 });
  const withKey = createClient({
    ...{ baseUrl: network.url, token: () => maker.token, makeKey: () => 'appeal' },
  });
  const appealed = await withKey.appeal({ body: appeal });
  // Field case 5: a repeated call, as after a lost response, returns the same.
  expect(await withKey.appeal({ body: appeal })).toEqual(appealed);
  await expect(maker.client.appeal({ body: appeal })).rejects.toMatchObject({
    problem: { code: 'nothing-to-appeal' },
  });
  const restored = await admin.decide({
    params: { id: caseId },
    body: { action: 'dismiss', note: `by-${adminName}` },
  });
  expect(restored.audit.map(({ action }) => action)).toEqual(['hide', 'appeal', 'restore']);
  // The log of all cases names what was decided about (53, finding 28).
  const logged = await admin.listAudit({ query: {} });
  expect(logged.find((line) => line.caseId === caseId)?.title).toBe(restored.snapshot.title);
  await eventually(async () => expect(await inView(stranger.client)).toEqual(before), { withinMs: 3_000 });
  expect(await stranger.client.getChallenge({ params: { id } })).toMatchObject({ status: 'live' });
  expect(await newestOf(stranger.client)).toContain(id);
  await stranger.client.joinChallenge({ body: { challengeId: id } });

  // No response to the creator names the reporters or the admin.
  const urls = [
    network.url + operationUrl(operations.listOwnDecisions, {}),
    network.url + operationUrl(operations.listNotifications, {}),
    network.url + operationUrl(operations.getChallenge, { params: { id } }),
    // Other services call it, for the archive.
    network.services.moderation.url() + operationUrl(operations.listOwnModerationData, {}),
  ];
  const responses = await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(url, { headers: { authorization: maker.token } });
      expect(response.status).toBe(200);
      return response.text();
    }),
  );
  // Without timestamps, whose parts may equal an id.
  const text = responses.join('\n').replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '');
  for (const { username, id: reporterId } of many) {
    expect(text).not.toContain(`"${username}"`);
    expect(text).not.toMatch(new RegExp(`\\b${reporterId}\\b`));
  }
  expect(text).not.toContain(adminName);
});

it('counts a repeated report once, rejects reports of own and inaccessible content, and lists cases for admins only', async () => {
  const [maker, one, two, three, four] = await reporters(5);
  if (!maker || !one || !two || !three || !four) throw new Error('a user is missing');
  const { id } = await challengeOf(maker);
  const params = { id: `challenge-${id}` };
  const first = await report(one, id);
  expect(await report(one, id)).toEqual(first);
  await expect(report(maker, id)).rejects.toMatchObject({ problem: { code: 'invalid-request' } });
  await expect(report(one, 987_654_321)).rejects.toMatchObject({ status: 404 });
  await network.settle();
  expect(await admin.getCase({ params })).toMatchObject({ reports: 1, weight: 1, state: 'live' });
  await expect(one.client.getCase({ params })).rejects.toMatchObject({ status: 403 });
  await expect(admin.getCase({ params: { id: 'challenge-987654321' } })).rejects.toMatchObject({
    problem: { code: 'case-not-found' },
  });
  await expect(network.client().listCases()).rejects.toMatchObject({ status: 401 });

  // Sorted by weight, in pages.
  const heavier = await challengeOf(maker);
  await reportAll([one, two], heavier.id);
  const ids = (await admin.listCases({ query: { limit: 100 } })).map(({ id }) => id);
  expect(ids.indexOf(`challenge-${heavier.id}`)).toBeLessThan(ids.indexOf(params.id));
  const byAge = (await admin.listCases({ query: { sort: 'age', limit: 100 } })).map(({ id }) => id);
  expect(byAge.indexOf(params.id)).toBeLessThan(byAge.indexOf(`challenge-${heavier.id}`));
  for (const [sort, sorted] of [
    ['weight', ids],
    ['age', byAge],
  ] as const) {
    let next = '';
    await admin.listCases(
      { query: { sort, limit: 1 } },
      {
        onHeaders(headers) {
          next = headers.get('link') ?? '';
        },
      },
    );
    const cursor = new URL(/<(.*?)>/.exec(next)?.[1] ?? '', network.url).searchParams.get('cursor') ?? '';
    const page = await admin.listCases({ query: { sort, limit: 1, cursor } });
    expect(page.map(({ id }) => id)).toEqual([sorted[1]]);
  }

  // After an admin has dismissed a case, further reports alone do not hide the challenge.
  await admin.decide({ params, body: { action: 'note', note: 'Looks well' } });
  await admin.decide({ params, body: { action: 'dismiss' } });
  await reportAll([two, three, four], id);
  expect(await admin.getCase({ params })).toMatchObject({ open: true, reports: 3, state: 'live' });
  await expect(admin.decide({ params, body: { action: 'uphold' } })).rejects.toMatchObject({
    problem: { code: 'nothing-to-decide' },
  });

  // Reporters whose reports were mostly dismissed no longer count.
  for (const _ of [1, 2]) {
    const other = await challengeOf(maker);
    await reportAll([one], other.id);
    await admin.decide({ params: { id: `challenge-${other.id}` }, body: { action: 'dismiss' } });
  }
  const last = await challengeOf(maker);
  await reportAll([one, two, three], last.id);
  const moderationCase = { params: { id: `challenge-${last.id}` } };
  expect(await admin.getCase(moderationCase)).toMatchObject({ reports: 3, weight: 2, state: 'live' });
  await admin.decide({ ...moderationCase, body: { action: 'delete' } });
  await network.settle();
  await expect(maker.client.getChallenge({ params: { id: last.id } })).rejects.toMatchObject({ status: 404 });
  const actions = (await admin.listAudit({ query: { limit: 3 } })).map(({ action }) => action);
  expect(actions).toEqual(['delete', 'dismiss', 'dismiss']);
});

it('an admin suspends somebody whom nobody has reported, in a case that is opened for it', async () => {
  const [person] = await reporters(1);
  if (!person) throw new Error('a user is missing');
  const params = { id: `user-${person.me.id}` };
  const decideFirst = (action: 'dismiss' | 'restore') => admin.decide({ params, body: { action } });
  for (const action of ['dismiss', 'restore'] as const)
    await expect(decideFirst(action)).rejects.toMatchObject({ problem: { code: 'case-not-found' } });
  const body = { action: 'suspend', days: 2, note: 'They sell things' } as const;
  expect(await admin.decide({ params, body })).toMatchObject({
    ...{ kind: 'user', open: false, reports: 0, affectedUser: { username: person.username } },
    audit: [{ action: 'suspend', note: 'They sell things', by: { username: adminName } }],
  });
  await network.settle();
  await expect(person.client.getMe()).rejects.toMatchObject({ problem: { code: 'suspended' } });
  await admin.decide({ params, body: { action: 'restore' } });
  await network.settle();
  const credentials = { username: person.username, password: testPassword };
  await network.client().login({ body: credentials });
  const nobody = { params: { id: 'user-999999999' }, body };
  await expect(admin.decide(nobody)).rejects.toMatchObject({ problem: { code: 'user-not-found' } });
});

it('an operator suspends somebody, and leaves reports that nobody has looked at', async () => {
  const [person, reporter] = await reporters(2);
  if (!person || !reporter) throw new Error('a user is missing');
  const { id } = person.me;
  await report(reporter, id, 'user');
  await network.settle();
  const user = {
    ...{ mongoUrl: network.mongoUrl, databasePrefix: network.databasePrefix, userId: id },
    logger: createLogger({ name: 'test', level: 'silent' }),
  };
  const caseNow = () => admin.getCase({ params: { id: `user-${id}` } });
  const decided = async (decision: string) => {
    await eventually(() =>
      expect(decisionsAbout(`user-${id}`)).toContainEqual(
        expect.objectContaining({ data: expect.objectContaining({ decision }) }),
      ),
    );
    await network.settle();
  };
  const until = new Date(Date.now() + 86_400_000);
  await suspendUser({ ...user, until, note: 'Sells tickets' });
  await decided('suspend');
  const openCase = { open: true, reports: 1, weight: 1 };
  expect(await caseNow()).toMatchObject({
    ...{ ...openCase, suspendedUntil: until.toISOString() },
    audit: [{ action: 'suspend', by: null, note: 'Sells tickets' }],
  });
  await endSuspension({ ...user, note: 'A mistake' });
  await decided('restore');
  expect(await caseNow()).toMatchObject({ ...openCase, suspendedUntil: null });
  await withServiceStore(network, 'moderation', async (store) => {
    const reports = await store
      .collection('reports')
      .find({ caseId: `user-${id}` })
      .toArray();
    expect(reports.map(({ outcome = null }) => outcome)).toEqual([null]);
  });
});

it('reopens a case for a report after its decision, with what was changed since (Q12)', async () => {
  const [maker, one] = await reporters(2);
  if (!maker || !one) throw new Error('a user is missing');
  const { id, name, difficulty } = await challengeOf(maker);
  const params = { id: `challenge-${id}` };
  const reportAgain = (comment: string, reason: 'abuse' | 'danger' | 'spam' = 'abuse') =>
    one.client.report({ body: { kind: 'challenge', id, reason, comment } });
  /** The status of a further report: 200 for a change of the open one. */
  const statusOf = async (comment: string) => {
    const response = await fetch(network.url + operationUrl(operations.report, {}), {
      method: 'POST',
      headers: { authorization: one.token, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'challenge', id, reason: 'abuse', comment }),
    });
    return response.status;
  };
  const view = async () => {
    await network.settle();
    const { open, reports, filed, snapshot } = await admin.getCase({ params });
    return { open, reports, text: snapshot.text, comments: filed.map(({ comment }) => comment) };
  };
  await reportAgain('first', 'spam');
  await reportAgain('first, in other words', 'danger');
  expect(await view()).toMatchObject({ open: true, reports: 1, comments: ['first, in other words'] });
  await admin.decide({ params, body: { action: 'dismiss' } });
  expect(await view()).toMatchObject({ open: false, reports: 0 });

  const update = { name, difficulty, description: 'An insult' };
  await maker.client.updateChallenge({ params: { id }, body: update });
  await network.settle();
  expect([await statusOf('second'), await statusOf('second')]).toEqual([201, 200]);
  expect(await view()).toEqual({
    ...{ open: true, reports: 1, text: 'An insult' },
    comments: ['second', 'first, in other words'],
  });

  // Changed again, before a decision.
  await maker.client.updateChallenge({ params: { id }, body: { ...update, description: 'A threat' } });
  await network.settle();
  await reportAgain('second');
  expect(await view()).toMatchObject({ open: true, reports: 1, text: 'A threat' });
  await admin.decide({ params, body: { action: 'hide' } });
  expect(await view()).toMatchObject({ open: false, reports: 0 });
});

it('an admin suspends a user until a date; the user appeals with their password, and is restored', async () => {
  const [suspended, ...reporting] = await reporters(5);
  if (!suspended) throw new Error('a user is missing');
  await network.settle();
  await Promise.all(reporting.map((reporter) => report(reporter, suspended.me.id, 'user')));
  await network.settle();
  const params = { id: `user-${suspended.me.id}` };
  expect(await admin.getCase({ params })).toMatchObject({ state: 'live', weight: 4, suspendedUntil: null });
  await suspended.client.getMe();

  const days = 2;
  await admin.decide({ params, body: { action: 'suspend', days } });
  await network.settle();
  const until = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const rejection = { status: 401, message: expect.stringContaining(`suspended until ${until}`) };
  await expect(suspended.client.getMe()).rejects.toMatchObject({
    problem: { code: 'suspended', detail: rejection.message },
  });
  await expect(suspended.client.listOwnDecisions()).rejects.toMatchObject(rejection);
  const credentials = { username: suspended.username, password: testPassword };
  await expect(network.client().login({ body: credentials })).rejects.toMatchObject(rejection);

  const appeal = { ...credentials, comment: 'It was my brother' };
  await expect(
    network.client().appealSuspension({ body: { ...appeal, password: 'some other password' } }),
  ).rejects.toMatchObject({ problem: { code: 'invalid-credentials' } });
  await network.client().appealSuspension({ body: appeal });
  await expect(network.client().appealSuspension({ body: appeal })).rejects.toMatchObject({
    problem: { code: 'nothing-to-appeal' },
  });
  await network.settle();
  expect(await admin.getCase({ params })).toMatchObject({ open: true, appeal: { comment: appeal.comment } });

  await admin.decide({ params, body: { action: 'restore' } });
  await network.settle();
  await expect(suspended.client.getMe()).rejects.toMatchObject({ problem: { code: 'invalid-token' } });
  const { token } = await network.client().login({ body: credentials });
  expect(await network.client(token).listOwnDecisions()).toMatchObject([
    { action: 'restore' },
    { action: 'appeal' },
    { action: 'suspend', until: expect.stringContaining(until) },
  ]);
});

it('removes a message for both members, and only they can report it', async () => {
  const [writer, reader, stranger] = await reporters(3);
  if (!writer || !reader || !stranger) throw new Error('a user is missing');
  await befriend(writer, reader);
  await network.settle();
  const conversation = await writer.client.openConversation({ body: { friend: reader.me } });
  const { id } = await writer.client.sendMessage({
    body: { conversationId: conversation.id, text: 'Something nasty' },
  });
  const body = { kind: 'message' as const, id, reason: 'abuse' as const, conversationId: conversation.id };
  await expect(stranger.client.report({ body })).rejects.toMatchObject({ status: 403 });
  await reader.client.report({ body });
  await network.settle();
  const params = { id: `message-${id}` };
  const moderationCase = await admin.decide({ params, body: { action: 'hide' } });
  expect(moderationCase.snapshot).toMatchObject({ text: 'Something nasty' });
  await network.settle();
  const shown = async () => [
    ...(await reader.client.listMessages({ params: { conversationId: conversation.id } })).map(
      ({ text, removed }) => [text, removed],
    ),
    (await reader.client.listConversations({ params: { userId: reader.me.id } }))[0]?.last?.text,
  ];
  expect(await shown()).toEqual([['', true], '']);
  await writer.client.appeal({ body: { caseId: params.id, comment: 'It was a joke' } });
  await admin.decide({ params, body: { action: 'restore' } });
  await network.settle();
  expect(await shown()).toEqual([['Something nasty', undefined], 'Something nasty']);
});

it('keeps the text of a reported message that its sender deletes, which can no longer be reported (53, finding 18)', async () => {
  const [writer, reader] = await reporters(2);
  if (!writer || !reader) throw new Error('a user is missing');
  await befriend(writer, reader);
  await network.settle();
  const { id: conversationId } = await writer.client.openConversation({ body: { friend: reader.me } });
  const write = (text: string) => writer.client.sendMessage({ body: { conversationId, text } });
  const [reported, other] = [await write('Something nasty'), await write('Something else')];
  const report = (id: number) =>
    reader.client.report({ body: { kind: 'message', id, reason: 'abuse', conversationId } });
  await report(reported.id);
  await network.settle();
  for (const { id } of [reported, other])
    await writer.client.deleteMessage({ params: { conversationId, id } });
  await expect(report(other.id)).rejects.toMatchObject({ problem: { code: 'message-not-found' } });

  const params = { id: `message-${reported.id}` };
  expect(await admin.getCase({ params })).toMatchObject({ snapshot: { text: 'Something nasty' } });
  await admin.decide({ params, body: { action: 'hide' } });
  await admin.decide({ params, body: { action: 'restore' } });
  await network.settle();
  const messages = await reader.client.listMessages({ params: { conversationId } });
  expect(messages.map(({ text, deleted }) => [text, deleted])).toEqual([
    ['', true],
    ['', true],
  ]);
});

it('hides a reported note and photo from others, with an appeal for their owner', async () => {
  const [maker, walker, stranger] = await reporters(3);
  if (!maker || !walker || !stranger) throw new Error('a user is missing');
  const { id: challengeId, name } = await challengeOf(maker);
  const { id } = await walker.client.joinChallenge({ body: { challengeId } });
  await walker.client.updateParticipation({ params: { id }, body: { completed: true } });
  const body = { kind: 'completion' as const, id, reason: 'abuse' as const };
  const rejection = { problem: { code: 'entry-not-found' } };
  // Without note and photo there is nothing to report.
  await expect(stranger.client.report({ body })).rejects.toMatchObject(rejection);
  await walker.client.updateNote({ params: { id }, body: { note: 'Something nasty' } });
  await expect(walker.client.report({ body })).rejects.toMatchObject({ status: 400 });
  await maker.client.blockUser({ body: { userId: walker.me.id } });
  await network.settle();
  await expect(maker.client.report({ body })).rejects.toMatchObject(rejection);
  await Promise.all((await reporters(3)).map(({ client }) => client.report({ body })));
  await network.settle();

  const caseId = `completion-${id}`;
  const moderationCase = await admin.getCase({ params: { id: caseId } });
  expect(moderationCase).toMatchObject({
    ...{ state: 'hidden', reports: 3, affectedUser: { id: walker.me.id } },
    snapshot: { title: name, text: 'Something nasty' },
  });
  const shown = async () => {
    const [entry] = await stranger.client.listLog({ params: { id: challengeId } });
    return entry?.note;
  };
  expect(await shown()).toBe('');
  expect(await walker.client.listNotifications()).toMatchObject([
    { kind: 'moderation-decided', change: 'log-entry-hidden' },
  ]);
  expect(await walker.client.listOwnDecisions()).toMatchObject([
    { kind: 'completion', title: name, action: 'hide', byReports: true, mayAppeal: true },
  ]);
  await walker.client.appeal({ body: { caseId, comment: 'It was a joke' } });
  await admin.decide({ params: { id: caseId }, body: { action: 'restore' } });
  await network.settle();
  expect(await shown()).toBe('Something nasty');
});

it('emails the decision to the owner of a place, whose request needs a proof of work but no account', async () => {
  const { id: challengeId } = await challengeOf(await newUser(network));
  const visitor = network.client();
  const puzzle = await visitor.getPuzzle();
  const email = 'owner@place.example';
  const request = { challengeId, comment: 'It is in my garden', email, nonce: puzzle.nonce };
  const solution = solve(puzzle);
  await expect(
    visitor.requestForPlace({ body: { ...request, solution: solution + 1 } }),
  ).rejects.toMatchObject({ problem: { code: 'puzzle-unsolved' } });
  const forged = puzzle.nonce.replace(/^\d+/, String(Date.now() + 1e9));
  await expect(
    visitor.requestForPlace({ body: { ...request, nonce: forged, solution } }),
  ).rejects.toMatchObject({ problem: { code: 'puzzle-unsolved' } });
  const { respondBy } = await visitor.requestForPlace({ body: { ...request, solution } });
  const aDayBefore = Date.now() + (puzzle.responseDays - 1) * 86_400_000;
  expect(new Date(respondBy).getTime()).toBeGreaterThan(aDayBefore);
  // A repeated request returns the same.
  expect(await visitor.requestForPlace({ body: { ...request, solution } })).toEqual({ respondBy });
  // Field case 5: also with another puzzle, as after a lost response.
  const another = await visitor.getPuzzle();
  const again = { ...request, nonce: another.nonce, solution: solve(another) };
  expect(await visitor.requestForPlace({ body: again })).toEqual({ respondBy });
  await network.settle();
  const params = { id: `challenge-${challengeId}` };
  expect(await admin.getCase({ params })).toMatchObject({
    weight: 3,
    state: 'live',
    respondBy,
    filed: [{ by: null, reason: 'place', email }],
  });
  const answeredInTime = async () => {
    const { values = [] } =
      (await register.getSingleMetric('wayquest_moderation_place_responses_total')?.get()) ?? {};
    return values.find(({ labels }) => labels.in_time === 'yes')?.value ?? 0;
  };
  const before = await answeredInTime();
  const decided = await admin.decide({ params, body: { action: 'hide' } });
  expect((await answeredInTime()) - before).toBe(1);
  expect(decided.filed).toMatchObject([{ email: null }]);
  await eventually(async () =>
    expect(await network.mailsTo(email)).toMatchObject([
      { text: expect.stringContaining('no longer shown') },
    ]),
  );
});

it('names the template of a suggested challenge to admins and its creator, and mails its name in the reader’s language (53)', async () => {
  const maker = await newUser(network);
  const { participants: _, can, ...challenge } = await newChallenge(maker, { name: 'Find a statue in Oslo' });
  const template = { key: 'statue', place: 'Oslo' };
  await network.bus.publish(
    newEvent('challenge.updated.v1', { challenge: { ...challenge, template }, version: 100 }),
  );
  await network.settle();
  const owner = createClient({ baseUrl: network.url, headers: () => ({ 'accept-language': 'zh' }) });
  const puzzle = await owner.getPuzzle();
  const email = 'statue@place.example';
  await owner.requestForPlace({
    body: {
      ...{ challengeId: challenge.id, comment: 'Mine', email },
      ...{ nonce: puzzle.nonce, solution: solve(puzzle) },
    },
  });
  await network.settle();
  const params = { id: `challenge-${challenge.id}` };
  expect(await admin.getCase({ params })).toMatchObject({ snapshot: { title: challenge.name, template } });
  await admin.decide({ params, body: { action: 'hide' } });
  const named = { title: challenge.name, template };
  expect(await admin.listAudit()).toContainEqual(
    expect.objectContaining({ caseId: params.id, action: 'hide', ...named }),
  );
  expect(await maker.client.listOwnDecisions()).toMatchObject([{ action: 'hide', ...named }]);
  await eventually(async () =>
    expect(await network.mailsTo(email)).toMatchObject([
      { text: expect.stringContaining('“找到 Oslo 的一座雕像”') },
    ]),
  );
});

it('emails each owner in the language of their browser, and owners in requests of older versions in English', async () => {
  const [{ id: hidden }, { id: dismissed }] = [
    await challengeOf(await newUser(network)),
    await challengeOf(await newUser(network)),
  ];
  const requestInLanguage = async (challengeId: number, email: string, language: string) => {
    const owner = createClient({
      baseUrl: network.url,
      headers: () => ({ 'accept-language': language }),
    });
    const puzzle = await owner.getPuzzle();
    const body = { challengeId, comment: 'Mine', email, nonce: puzzle.nonce, solution: solve(puzzle) };
    await owner.requestForPlace({ body });
  };
  await requestInLanguage(hidden, 'english@place.example', 'en-US,en;q=0.9,zh;q=0.8');
  await requestInLanguage(hidden, 'chinese@place.example', 'zh');
  await requestInLanguage(dismissed, 'dismissed@place.example', 'zh-CN,zh;q=0.9,en;q=0.8');
  await requestInLanguage(dismissed, 'older@place.example', 'zh');
  await network.settle();
  await withServiceStore(network, 'moderation', async (store) => {
    const reports = store.collection<{ caseId: string; email?: string; language?: string }>('reports');
    const caseId = { $in: [hidden, dismissed].map((id) => `challenge-${id}`) };
    await reports.updateOne({ caseId, email: 'older@place.example' }, { $unset: { language: 1 } });
    await admin.decide({ params: { id: `challenge-${hidden}` }, body: { action: 'hide' } });
    await admin.decide({ params: { id: `challenge-${dismissed}` }, body: { action: 'dismiss' } });
    const emails = {
      english: ['About your place on Fox & Goat', 'Hello,', 'it is no longer shown'],
      chinese: ['关于你在 Fox & Goat 上的地点', '你好：', '它不会再显示'],
      dismissed: ['关于你在 Fox & Goat 上的地点', '你好：', '它会保持原样'],
      older: ['About your place on Fox & Goat', 'Hello,', 'so it stays'],
    };
    for (const [owner, [subject, greeting, decision]] of Object.entries(emails)) {
      const [mail] = await eventually(async () => {
        const mails = await network.mailsTo(`${owner}@place.example`);
        expect(mails).toHaveLength(1);
        return mails;
      });
      expect(mail?.subject).toBe(subject);
      expect(mail?.text).toContain(greeting);
      expect(mail?.text).toContain(decision);
    }
    const stored = await reports.find({ caseId }).toArray();
    expect(stored).toHaveLength(4);
    expect(stored.filter((report) => report.email || report.language)).toEqual([]);
  });
});

it('writes each log entry once, also if events arrive again', async () => {
  await withServiceStore(network, 'moderation', async (store) => {
    const log = store.collection('audit');
    const before = await log.find().sort({ _id: 1 }).toArray();
    expect(before.length).toBeGreaterThan(5);
    const decided = published.filter(({ name }) => name === 'moderation.decided.v1');
    await Promise.all(decided.toReversed().map((event) => network.bus.publish(event)));
    await network.settle();
    expect(await log.find().sort({ _id: 1 }).toArray()).toEqual(before);
  });
});

describe('the hash chain of the log', () => {
  const check = () =>
    checkAudit({
      ...{ mongoUrl: network.mongoUrl, logger: network.logger },
      databasePrefix: network.databasePrefix,
    });
  interface AuditEntry {
    _id: string;
    note: string;
    place?: number;
  }
  const withLog = <T>(work: (log: Collection<AuditEntry>) => Promise<T>): Promise<T> =>
    withServiceStore(network, 'moderation', (store) => work(store.collection<AuditEntry>('audit')));

  it('stays valid with concurrent writers', async () => {
    const maker = await newUser(network);
    const { id } = await challengeOf(maker);
    await reportAll(manyReporters(1), id);
    const before = await check();
    expect(before).toMatchObject({ older: 0, violations: [] });
    const admins = Array.from({ length: 12 }, (_, nth) =>
      network.client(network.signToken({ sub: String(1_100_000_000 + nth), username: 'admin', admin: true })),
    );
    await Promise.all(
      admins.map((each) =>
        each.decide({ params: { id: `challenge-${id}` }, body: { action: 'note', note: 'Concurrent' } }),
      ),
    );
    const after = await check();
    expect([after.verified, after.violations]).toEqual([before.verified + admins.length, []]);
  });

  it('detects an entry that was changed, removed or inserted', async () => {
    await withLog(async (log) => {
      const [first, second] = await log
        .find({ place: { $gt: 1 } })
        .sort({ place: 1 })
        .limit(2)
        .toArray();
      if (!first || !second) throw new Error('too few entries');
      const { _id, ...rest } = first;
      await log.updateOne({ _id }, { $set: { note: `${first.note}!` } });
      expect((await check()).violations).toEqual([`${_id} was changed.`]);
      await log.replaceOne({ _id }, rest);
      await log.updateOne({ _id }, { $set: { reason: 'Another one' } });
      expect((await check()).violations).toEqual([`${_id} was changed.`]);
      await log.replaceOne({ _id }, rest);
      expect((await check()).violations).toEqual([]);
      await log.deleteOne({ _id });
      expect((await check()).violations).toEqual([`Before ${second._id} something was taken out.`]);
      await log.insertOne(first);
      const { place: _, ...unchained } = { ...second, _id: 'challenge-1:99', at: new Date() };
      await log.insertOne(unchained);
      expect((await check()).violations).toEqual(['challenge-1:99 stands beside the chain.']);
      await log.deleteOne({ _id: 'challenge-1:99' });
      expect((await check()).violations).toEqual([]);
    });
  });
});
