import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionsOf } from '@wayquest/auth';
import {
  type Client,
  createClient,
  defaultPrivacy,
  type ServiceName,
  serviceNames,
} from '@wayquest/contracts';
import { assemble, assemblySettings } from '@wayquest/local';
import { checkAudit } from '@wayquest/moderation';
import { createInProcessBus, parseEvent } from '@wayquest/platform/bus';
import { createRedisConnections } from '@wayquest/platform/redis';
import { loadSettings } from '@wayquest/platform/settings';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  createInMemoryFailedDeliveries,
  createSettledCheck,
  dropDatabases,
  eventually,
  storeUrl,
  testKeys,
} from '@wayquest/testing';
import mongoose from 'mongoose';
import { z } from 'zod';
import { restore } from '../src/backup.ts';

/**
 * This release reads the stores, events and responses of the last one.
 *
 * To create the fixture again, start a network in a checkout of the next release, let users with this password perform
 * every action once, and save the published events (`events.jsonl`), the result of `readResponses` for each user
 * (`answers.json`, without `weeklyStreak` and the `at` of notifications, which depend on the day), and the stores with
 * `backUp`, without `push_keys`.
 */
const folder = join(import.meta.dirname, 'last-release');
const password = 'correct horse battery staple';

const textOf = (file: string) => readFile(join(folder, file), 'utf8');

/** A published event, and the service that it was for, unless it was for all. */
const Published = z.object({ event: z.unknown(), to: z.enum(serviceNames).optional() });
const published = (await textOf('events.jsonl'))
  .trim()
  .split('\n')
  .map((line) => Published.parse(JSON.parse(line)));

const Responses = z.record(z.string(), z.record(z.string(), z.unknown()));
const responses = Responses.parse(JSON.parse(await textOf('answers.json')));

/** Reads all data of a user. */
async function readResponses(client: Client) {
  const query = {};
  const me = await client.getMe();
  const conversations = await client.listConversations({ params: { userId: me.id } });
  return {
    me,
    account: await client.getAccount(),
    participations: await client.listParticipations({ query }),
    trail: await client.getTrailBook({ params: { id: me.id }, query }),
    board: await client.getLeaderboard({ query }),
    friends: await client.getLeaderboard({ query: { scope: 'friends' } }),
    town: await client.getLeaderboard({ query: { scope: 'town' } }),
    challenges: await client.listChallenges({ query: { scope: 'all' } }),
    requests: await client.listFriendRequests({ query }),
    blocks: await client.listBlocks(),
    conversations,
    messages: await Promise.all(
      conversations.map(({ id }) => client.listMessages({ params: { conversationId: id }, query })),
    ),
    chatPreferences: await client.getChatPreferences(),
    notificationPreferences: await client.getNotificationPreferences(),
    notifications: await client.listNotifications({ query }),
  };
}

/** Assembles Wayquest on an installation's databases, with a bus that stores failed deliveries in memory. */
function partsOn(installation: string) {
  const mongoUrl = storeUrl();
  const dataDirectory = join(tmpdir(), installation);
  const logger = createLogger({ name: 'test', level: process.env.WAYQUEST_TEST_LOG || 'silent' });
  const failed = createInMemoryFailedDeliveries();
  const bus = createInProcessBus({ logger, services: serviceNames, failed });
  const redis = createRedisConnections(logger, { program: 'all-in-one' });
  const unlimited = '1000000';
  const settings = loadSettings(assemblySettings, {
    HOST: '127.0.0.1',
    DATA_DIR: dataDirectory,
    RATE_LIMIT_PER_IP: unlimited,
    RATE_LIMIT_PER_TOKEN: unlimited,
  });
  const all = assemble(settings, {
    ...testKeys(),
    ...{ logger, bus, mongoUrl, databasePrefix: installation, port: 0, redis: redis.connectionTo },
    tuning: { places: { preload: false } },
  });
  const isSettled = createSettledCheck(bus, () => serviceNames.map((name) => all.services[name]));
  return { all, bus, isSettled, failed, redis, mongoUrl, dataDirectory };
}

/** Starts Wayquest on an installation's databases, which are dropped when it stops. */
async function startOn(installation: string) {
  const { all, bus, isSettled, failed, redis, mongoUrl, dataDirectory } = partsOn(installation);
  await all.start();
  const client = (token?: string) => createClient({ baseUrl: all.gateway.url(), token: () => token });
  const settle = () => eventually(isSettled, { withinMs: 60_000 });
  return {
    client,
    settle,
    /** Logs in with the password of the fixture. */
    async login(username: string): Promise<Client> {
      const { token } = await client().login({ body: { username, password } });
      return client(token);
    },
    /** Publishes all events of the last release in order; returns the failed deliveries. */
    async publishAll(): Promise<string[]> {
      const failures = new Set<string>();
      for (const { event, to } of published) {
        await bus.publish(parseEvent(event), to ? { to } : {});
        for (const { service, event, reason } of failed.all())
          failures.add(`${event.name} by ${service}: ${reason}`);
      }
      if (!failures.size) await settle();
      return [...failures];
    },
    /** Stops without dropping the databases, so that they can be used again. */
    async stopAndKeep() {
      await all.stop();
      redis.close();
      await bus.close();
    },
    async stop() {
      await this.stopAndKeep();
      await dropDatabases(
        mongoUrl,
        serviceNames.map((service) => `${installation}_${service}`),
      );
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

const newInstallation = () => `test_${randomBytes(6).toString('hex')}`;

interface Stored {
  _id: string;
  [field: string]: unknown;
}

type DatabaseOf = (service: ServiceName) => mongoose.mongo.Db;

/** Gives a test direct access to an installation's databases. */
async function withStores<T>(installation: string, work: (databaseOf: DatabaseOf) => Promise<T>): Promise<T> {
  const client = await mongoose.mongo.MongoClient.connect(storeUrl());
  try {
    return await work((service) => client.db(`${installation}_${service}`));
  } finally {
    await client.close();
  }
}

const Written = z.looseObject({ name: z.string(), data: z.unknown() });

/** Returns the first event with a name, as stored in an outbox. */
const eventNamed = (name: string) =>
  published.map(({ event }) => Written.parse(event)).find((event) => event.name === name);

/** Restores the stores of the last release, with expiring documents dated today in their original order. */
async function restoreStores(): Promise<string> {
  const installation = newInstallation();
  await restore({ url: storeUrl(), installation, folder });
  await withStores(installation, async (databaseOf) => {
    const notifications = databaseOf('notifications').collection('notifications');
    const inOrder = await notifications.find().sort({ at: 1, _id: 1 }).toArray();
    // A second apart: those of one millisecond would be sorted by their ids.
    for (const [index, { _id }] of inOrder.entries())
      await notifications.updateOne(
        { _id },
        { $set: { at: new Date(Date.now() - (inOrder.length - index) * 1_000) } },
      );
    const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1_000);
    await databaseOf('friends')
      .collection<{ _id: string }>('askings')
      .updateOne({ _id: '5:2' }, { $set: { declinedUntil: tomorrow, expiresAt: tomorrow } });
    for (const service of serviceNames)
      await databaseOf(service).collection<Stored>('prepared').insertOne({ _id: 'store', version: 1 });
  });
  return installation;
}

/** A line of the audit log, as the last release wrote and hashed it. */
const auditLine = {
  ...{ _id: 'points-99-5:1', caseId: 'points-99-5', concernedId: 99, action: 'release', by: 1 },
  ...{ at: new Date(0), note: 'They only met', place: 1 },
  hash: 'ee0275a1d9f1b12a88ad172e11ec645874d170db344a68fc91e6ffad730f0713',
};

/** Adds unfinished work of the last release: unpublished events and a replay. */
const addPendingWork = (installation: string): Promise<void> =>
  withStores(installation, async (databaseOf) => {
    const outboxDueAt = new Date(0);
    const sent = eventNamed('message.sent.v1');
    const { message } = z.object({ message: z.object({ id: z.int() }) }).parse(sent?.data);
    await databaseOf('chat')
      .collection<{ _id: number }>('messages')
      .updateOne({ _id: message.id }, { $set: { outbox: [sent], outboxDueAt } });
    const outbox = [eventNamed('replica.requested.v1')];
    await databaseOf('participation')
      .collection<Stored>('replica_requests')
      .insertOne({ _id: 'participation', outbox, outboxDueAt, deletedAt: new Date() });
    // Of nobody who is asked below.
    await databaseOf('notifications')
      .collection<Stored>('notifications')
      .insertMany([
        { _id: 'revoked', userId: 99, at: new Date(), change: 'points-withdrawn' },
        { _id: 'flagged', userId: 99, at: new Date(), change: 'points-wait' },
        { _id: 'approved', userId: 99, at: new Date(), change: 'points-count' },
      ]);
    await databaseOf('notifications')
      .collection<{ _id: number; [field: string]: unknown }>('endings')
      .insertOne({ _id: 99, endsAt: new Date(0), told: true });
    await databaseOf('moderation')
      .collection<Stored>('reports')
      .insertOne({ _id: 'place', answerBy: new Date(0), words: 'Mine', concernedId: 99 });
    await databaseOf('moderation')
      .collection<Stored>('cases')
      .insertOne({ _id: 'user-99', appeal: { words: 'Why?', at: new Date(0) }, concernedId: 99 });
    await databaseOf('moderation').collection<Stored>('audit').insertOne(auditLine);
    await databaseOf('participation')
      .collection<{ _id: number; [field: string]: unknown }>('lines')
      .insertOne({ _id: 99, userId: 99, challengeId: 99, doubt: 'pace' });
    await databaseOf('challenges').collection<{ _id: number }>('forgotten').insertOne({ _id: 98 });
    await databaseOf('challenges')
      .collection('challenges')
      .updateMany({}, { $set: { checkInAsked: true } });
    const withdrawn = eventNamed('points.withdrawn.v1');
    await databaseOf('users')
      .collection<{ _id: number }>('profiles')
      .updateOne({ _id: 2 }, { $set: { outbox: [withdrawn], outboxDueAt, 'privacy.boards': true } });
    await databaseOf('users')
      .collection<Stored>('awards')
      .insertOne({ _id: '99:98', userId: 99, ownPlace: '99:2026-11-24:1', quick: true });
    await databaseOf('users')
      .collection<Stored>('retellings')
      .insertOne({ _id: 'friends', run: 'one', since: new Date(), position: 0, dueAt: outboxDueAt });
  });

/** Names of collections and fields that this release has replaced. */
const former = [
  ...['answerBy', 'answers', 'checkInAsked', 'doubt', 'endings', 'forgotten', 'told'],
  ...['askings', 'boards', 'cells', 'months', 'prepared', 'retellings', 'shownTo', 'withdrawn-challenges'],
  ...['cell', 'heard', 'heardAt', 'heldAt', 'heldFor', 'nth', 'people', 'pointsHeardAt', 'stands', 'tallies'],
  ...['lineId', 'lines', 'scene', 'toldAt', 'tokensFrom', 'withdrawn'],
  ...['concernedId', 'ownPlace', 'quick', 'showReadMarks'],
];

/** Returns the former names among all collections and fields. */
const formerNamesIn = (installation: string): Promise<string[]> =>
  withStores(installation, async (databaseOf) => {
    const found = new Set<string>();
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) for (const item of value) visit(item);
      else if (typeof value === 'object' && value !== null && !(value instanceof Date))
        for (const [name, inner] of Object.entries(value)) {
          found.add(name);
          visit(inner);
        }
    };
    for (const service of serviceNames)
      for (const { name } of await databaseOf(service).listCollections().toArray()) {
        found.add(name);
        for (const document of await databaseOf(service).collection(name).find().toArray()) visit(document);
      }
    return former.filter((name) => found.has(name));
  });

/** Returns the stored migrations of each service. */
const migrationsOf = (installation: string): Promise<Map<ServiceName, Stored[]>> =>
  withStores(installation, async (databaseOf) => {
    const all = new Map<ServiceName, Stored[]>();
    for (const service of serviceNames)
      all.set(
        service,
        await databaseOf(service).collection<Stored>('migrations').find().sort({ _id: 1 }).toArray(),
      );
    return all;
  });

/** Write operations of the driver. */
const writeOperations = [
  'insertMany',
  'bulkWrite',
  'updateOne',
  'updateMany',
  'deleteMany',
  'drop',
  'dropIndex',
];

/**
 * Makes writes of this process to a database fail after the first ones, as if the process had been killed.
 *
 * @param writes - Number of writes per database that succeed.
 * @returns A function that removes this limit.
 */
function killAfter(writes: number): () => void {
  const { prototype } = mongoose.mongo.Collection;
  const done = new Map<string, number>();
  const originals = writeOperations.map((name): [string, unknown] => [name, Reflect.get(prototype, name)]);
  for (const [name, original] of originals) {
    if (typeof original !== 'function') throw new Error(`the driver has no ${name}`);
    Reflect.set(prototype, name, async function (this: mongoose.mongo.Collection, ...args: unknown[]) {
      const count = (done.get(this.dbName) ?? 0) + 1;
      done.set(this.dbName, count);
      if (count > writes) throw new Error('killed');
      return Reflect.apply(original, this, args);
    });
  }
  return () => {
    for (const [name, original] of originals) Reflect.set(prototype, name, original);
  };
}

/** Starts the services until each is ready or killed; returns how many were killed. */
async function startAndKill(installation: string, writes: number): Promise<number> {
  const { all, bus, redis } = partsOn(installation);
  const services = Object.values(all.services);
  const removeLimit = killAfter(writes);
  const results = await Promise.allSettled(services.map((service) => service.start()));
  await Promise.all(services.map((service) => service.stop()));
  removeLimit();
  redis.close();
  await bus.close();
  return results.filter(({ status }) => status === 'rejected').length;
}

describe('the stores of the last release', () => {
  let installation: string;
  let now: Awaited<ReturnType<typeof startOn>>;
  beforeAll(async () => {
    installation = await restoreStores();
    await addPendingWork(installation);
    now = await startOn(installation);
    await now.settle();
  });
  afterAll(() => now?.stop());

  it.each(Object.entries(responses))('return the same to %s as before', async (username, before) => {
    expect(await readResponses(await now.login(username))).toMatchObject(before);
  });

  it('contain no replaced names and no pending work of the last release', async () => {
    expect(await formerNamesIn(installation)).toEqual([]);
    await withStores(installation, async (databaseOf) => {
      expect(await databaseOf('participation').collection('replica_requests').find().toArray()).toEqual([]);
      expect(await databaseOf('users').collection('replica_replays').find().toArray()).toEqual([]);
      const idsIn = async (name: string) =>
        (await databaseOf('users').collection<Stored>(name).find().sort({ _id: 1 }).toArray()).map(
          ({ _id }) => _id,
        );
      expect(await idsIn('revoked_challenges')).toEqual([5]);
      const notifications = databaseOf('notifications').collection<Stored>('notifications');
      for (const _id of ['revoked', 'flagged', 'approved'])
        expect(await notifications.findOne({ _id })).toMatchObject({ change: `points-${_id}` });
      const contentOf = (service: ServiceName, name: string, _id: Stored['_id'] | number) =>
        databaseOf(service).collection<{ _id: typeof _id }>(name).findOne({ _id });
      expect(await contentOf('notifications', 'expiry_reminders', 99)).toMatchObject({ sent: true });
      // `words` is not among the former names, since search tokens have that name.
      expect(await contentOf('moderation', 'reports', 'place')).toMatchObject({
        ...{ respondBy: new Date(0), comment: 'Mine', affectedUserId: 99 },
      });
      expect(await contentOf('moderation', 'cases', 'user-99')).toMatchObject({
        ...{ appeal: { comment: 'Why?' }, affectedUserId: 99 },
      });
      expect(await contentOf('moderation', 'audit', auditLine._id)).toMatchObject({ affectedUserId: 99 });
      expect(await contentOf('participation', 'participations', 99)).toMatchObject({ flagReason: 'pace' });
      expect(await contentOf('users', 'profiles', 2)).toMatchObject({ privacy: { leaderboards: true } });
      expect(await contentOf('users', 'awards', '99:98')).toMatchObject({
        ...{ ownChallengeSlot: '99:2026-11-24:1', soonAfterCreation: true },
      });
      expect(await contentOf('challenges', 'deleted_accounts', 98)).not.toBeNull();
      expect(await databaseOf('challenges').collection('challenges').findOne()).toMatchObject({
        checkInRequired: true,
      });
      expect(await idsIn('monthly_scores')).toEqual(['2026-11:1', '2026-11:2', '2026-11:4']);
    });
  });

  it('contain an audit log whose hashes are still valid', async () => {
    const logger = createLogger({ name: 'test', level: 'silent' });
    expect(await checkAudit({ mongoUrl: storeUrl(), databasePrefix: installation, logger })).toEqual({
      verified: 1,
      older: 0,
      last: auditLine.hash,
      violations: [],
    });
  });

  it('contain correct counts for the map', async () => {
    const query = { bbox: '-180,-85,180,85', zoom: 2 } as const;
    const counts = (await now.client().listChallengeClusters({ query })).map(({ count }) => count);
    const listed = await now.client().listChallenges({ query: { scope: 'all', bbox: query.bbox } });
    expect(listed.length).toBeGreaterThan(0);
    expect(counts).toEqual([listed.length]);
  });

  it('are not changed by their own events when these arrive again', async () => {
    expect(await now.publishAll()).toEqual([]);
    for (const [username, before] of Object.entries(responses))
      expect(await readResponses(await now.login(username))).toMatchObject(before);
  });

  it('can be used further by their users', async () => {
    const [ann, bob, cat] = [await now.login('ann'), await now.login('bob'), await now.login('cat')];
    const eve = await now.login('eve');
    const { id: bobsId } = await bob.getMe();
    // Bob declined Eve recently.
    await expect(eve.requestFriend({ body: { friendId: bobsId } })).rejects.toMatchObject({ status: 429 });
    expect(await cat.getPrivacy()).toEqual(defaultPrivacy);
    const [pending] = await ann.listFriendRequests({ query: { status: 'pending' } });
    await ann.acceptFriend({ params: { id: pending?.id ?? 0 } });
    const conversation = await ann.openConversation({ body: { friend: { id: bobsId } } });
    const before = await ann.listMessages({ params: { conversationId: conversation.id }, query: {} });
    await bob.sendMessage({ body: { conversationId: conversation.id, text: 'And today?' } });
    const created = await cat.createChallenge({ body: { name: 'Find a ginkgo', difficulty: 'Easy' } });
    await now.settle();
    const { id } = await bob.joinChallenge({ body: { challengeId: created.id } });
    const { points } = await bob.getMe();
    await bob.updateParticipation({ params: { id }, body: { completed: true } });
    await now.settle();

    const friends = await cat.listFriendRequests({ query: { status: 'accepted' } });
    expect(friends).toMatchObject([{ friend: { username: 'ann' } }]);
    const texts = (await ann.listMessages({ params: { conversationId: conversation.id }, query: {} })).map(
      ({ text }) => text,
    );
    expect(texts).toEqual([...before.map(({ text }) => text), 'And today?']);
    expect((await bob.getMe()).points).toBe(points + created.points);
    expect((await cat.listNotifications({ query: {} })).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['friend-accepted', 'challenge-joined', 'challenge-completed']),
    );
  });
});

it('the stores of the last release are migrated once, also if processes are killed repeatedly', async () => {
  const installation = await restoreStores();
  let starts = 1;
  for (; (await startAndKill(installation, 10)) > 0; starts++) {
    expect(starts).toBeLessThan(30);
    // Ends the lease, as after half a minute.
    await withStores(installation, async (databaseOf) => {
      for (const service of serviceNames)
        await databaseOf(service)
          .collection<{ _id: string }>('migrations')
          .updateOne({ _id: 'lease', until: { $ne: null } }, { $set: { until: new Date(0) } });
    });
  }
  expect(starts).toBeGreaterThan(2);
  const migrated = await migrationsOf(installation);
  expect(migrated.get('users')?.map(({ _id }) => _id)).toEqual([
    ...[
      '001-standard-names',
      '002-search-tokens',
      '003-towns',
      '004-award-names',
      '005-leaderboards',
      'lease',
      'platform-001-standard-names',
      'platform-002-place-category',
      'platform-003-deleted-accounts',
    ],
  ]);
  const first = await startOn(installation);
  await first.settle();
  await first.stopAndKeep();
  const again = await startOn(installation);
  try {
    expect(await migrationsOf(installation)).toEqual(migrated);
    expect(await formerNamesIn(installation)).toEqual([]);
    for (const [username, before] of Object.entries(responses))
      expect(await readResponses(await again.login(username))).toMatchObject(before);
  } finally {
    await again.stop();
  }
});

it('admin commands do not read the stores of the last release before services have migrated them', async () => {
  const databasePrefix = await restoreStores();
  const [username = ''] = Object.keys(responses);
  try {
    // A restored store has no indexes, and the store of tests rejects queries without one.
    await withStores(databasePrefix, async (databaseOf) => {
      await databaseOf('auth').collection('accounts').createIndex({ usernameKey: 1 });
      const lines = databaseOf('moderation').collection<Stored>('audit');
      await lines.createIndex({ place: 1 }, { unique: true, sparse: true });
      await lines.insertOne(auditLine);
    });
    const logger = createLogger({ name: 'test', level: 'silent' });
    const account = { mongoUrl: storeUrl(), databasePrefix, logger, username };
    await expect(sessionsOf(account)).rejects.toThrow('start auth once');
    await expect(checkAudit(account)).rejects.toThrow('start moderation once');
  } finally {
    await dropDatabases(
      storeUrl(),
      serviceNames.map((service) => `${databasePrefix}_${service}`),
    );
  }
});

it('services without data are filled by the events of the last release', async () => {
  const now = await startOn(newInstallation());
  try {
    expect(await now.publishAll()).toEqual([]);
    const { rows } = await now.client().getLeaderboard({ query: {} });
    expect(rows.map(({ username, points }) => [username, points])).toEqual([
      ['bob', 55],
      ['ann', 20],
      ['daniel', 10],
      ['cat', 0],
      ['eve', 0],
    ]);
  } finally {
    await now.stop();
  }
});
