import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, openPrivacy, serviceNames } from '@wayquest/contracts';
import { assemble, assemblySettings } from '@wayquest/local';
import { createInProcessBus, parseEvent } from '@wayquest/platform/bus';
import { loadSettings } from '@wayquest/platform/process';
import { createRedisConnections } from '@wayquest/platform/redis';
import { createLogger } from '@wayquest/platform/telemetry';
import { dropDatabases, eventually, failedInMemory, storeUrl, testKeys } from '@wayquest/testing';
import mongoose from 'mongoose';
import { z } from 'zod';
import { restore } from '../src/backup.ts';

/**
 * What the last release wrote, told and answered is read by this one.
 *
 * To make the fixture anew, start a network in a checkout of the next release, let people with this password do one of
 * everything, and keep what its bus is told (`events.jsonl`). Then keep what `asked` finds of each (`answers.json`, without
 * `weeklyStreak` and the `at` of notifications, which depend on the day), and its stores by `backUp`, without `push_keys`.
 */
const folder = join(import.meta.dirname, 'last-release');
const password = 'correct horse battery staple';

const textOf = (file: string) => readFile(join(folder, file), 'utf8');

/** An event, and the service that it was for where it was not for all. */
const Told = z.object({ event: z.unknown(), to: z.enum(serviceNames).optional() });
const told = (await textOf('events.jsonl'))
  .trim()
  .split('\n')
  .map((line) => Told.parse(JSON.parse(line)));

const Answers = z.record(z.string(), z.record(z.string(), z.unknown()));
const answers = Answers.parse(JSON.parse(await textOf('answers.json')));

/** All that somebody finds of theirs. */
async function asked(client: Client) {
  const query = {};
  const me = await client.getMe();
  const conversations = await client.listConversations({ params: { userId: me.id } });
  return {
    me,
    account: await client.getAccount(),
    lines: await client.listLines({ query }),
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

/** Wayquest on an installation's databases, which go with it, and on a bus that keeps what could not be handled. */
async function startOn(installation: string) {
  const mongoUrl = storeUrl();
  const dataDirectory = join(tmpdir(), installation);
  const logger = createLogger({ name: 'test', level: process.env.WAYQUEST_TEST_LOG || 'silent' });
  const failed = failedInMemory();
  const bus = createInProcessBus({ logger, services: serviceNames, failed });
  const redis = createRedisConnections(logger);
  const plenty = '1000000';
  const settings = loadSettings(assemblySettings, {
    HOST: '127.0.0.1',
    DATA_DIR: dataDirectory,
    RATE_LIMIT_PER_IP: plenty,
    RATE_LIMIT_PER_TOKEN: plenty,
  });
  const all = assemble(settings, {
    ...testKeys(),
    ...{ logger, bus, mongoUrl, databasePrefix: installation, port: 0, redis: redis.to },
    tuning: { places: { readAhead: false } },
  });
  await all.start();
  const client = (token?: string) => createClient({ baseUrl: all.gateway.url(), token: () => token });
  const isSettled = async () => {
    const settled = await Promise.all(serviceNames.map((name) => all.services[name].settled()));
    return !settled.includes(false) && (await bus.idle());
  };
  const settle = () =>
    // Twice, since between one look and the next an event can go from an outbox over the bus into another outbox.
    eventually(async () => (await isSettled()) && (await isSettled()), { withinMs: 60_000 });
  return {
    client,
    settle,
    /** With the password of then. */
    async login(username: string): Promise<Client> {
      const { token } = await client().login({ body: { username, password } });
      return client(token);
    },
    /** Tells all that the last release told, in its order; answers what could not be handled, or not at once. */
    async hear(): Promise<string[]> {
      const refused = new Set<string>();
      for (const { event, to } of told) {
        await bus.publish(parseEvent(event), to ? { to } : {});
        for (const { service, event, reason } of failed.all())
          refused.add(`${event.name} by ${service}: ${reason}`);
      }
      if (!refused.size) await settle();
      return [...refused];
    },
    async stop() {
      await all.stop();
      redis.close();
      await bus.close();
      await dropDatabases(
        mongoUrl,
        serviceNames.map((service) => `${installation}_${service}`),
      );
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

const newInstallation = () => `test_${randomBytes(6).toString('hex')}`;

/** Notifications go after 90 days, and the fixture is older some day: they are as of today, in the order in which they were. */
async function renewNotifications(installation: string): Promise<void> {
  const client = await mongoose.mongo.MongoClient.connect(storeUrl());
  const kept = client.db(`${installation}_notifications`).collection('notifications');
  for (const { _id } of await kept.find().sort({ at: 1, _id: 1 }).toArray())
    await kept.updateOne({ _id }, { $set: { at: new Date() } });
  await client.close();
}

describe('the stores of the last release', () => {
  let now: Awaited<ReturnType<typeof startOn>>;
  beforeAll(async () => {
    const installation = newInstallation();
    await restore({ url: storeUrl(), installation, folder });
    await renewNotifications(installation);
    now = await startOn(installation);
  });
  afterAll(() => now?.stop());

  it.each(Object.entries(answers))('say the same to %s as they did', async (username, before) => {
    expect(await asked(await now.login(username))).toMatchObject(before);
  });

  it('are not changed by their own events, and accept each of them', async () => {
    expect(await now.hear()).toEqual([]);
    for (const [username, before] of Object.entries(answers))
      expect(await asked(await now.login(username))).toMatchObject(before);
  });

  it('let their users choose and continue', async () => {
    const [ann, bob, cat] = [await now.login('ann'), await now.login('bob'), await now.login('cat')];
    expect(await cat.getPrivacy()).toEqual(openPrivacy);
    const [pending] = await ann.listFriendRequests({ query: { status: 'pending' } });
    await ann.acceptFriend({ params: { id: pending?.id ?? 0 } });
    const { id: bobsId } = await bob.getMe();
    const talk = await ann.openConversation({ body: { friend: { id: bobsId } } });
    const before = await ann.listMessages({ params: { conversationId: talk.id }, query: {} });
    await bob.sendMessage({ body: { conversationId: talk.id, text: 'And today?' } });
    const made = await cat.createChallenge({ body: { name: 'Find a ginkgo', difficulty: 'Easy' } });
    await now.settle();
    const { id } = await bob.joinChallenge({ body: { challengeId: made.id } });
    const { points } = await bob.getMe();
    await bob.updateLine({ params: { id }, body: { completed: true } });
    await now.settle();

    const friends = await cat.listFriendRequests({ query: { status: 'accepted' } });
    expect(friends).toMatchObject([{ friend: { username: 'ann' } }]);
    const texts = (await ann.listMessages({ params: { conversationId: talk.id }, query: {} })).map(
      ({ text }) => text,
    );
    expect(texts).toEqual([...before.map(({ text }) => text), 'And today?']);
    expect((await bob.getMe()).points).toBe(points + made.points);
    expect((await cat.listNotifications({ query: {} })).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['friend-accepted', 'challenge-joined', 'challenge-completed']),
    );
  });
});

it('services without data learn from the events of the last release', async () => {
  const now = await startOn(newInstallation());
  try {
    expect(await now.hear()).toEqual([]);
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
