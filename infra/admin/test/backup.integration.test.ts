import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@wayquest/contracts';
import { keyFilesIn } from '@wayquest/platform/settings';
import {
  befriend,
  complete,
  describeWith,
  eventually,
  freePort,
  type Network,
  newChallenge,
  newUser,
  startNetwork,
  useShared,
} from '@wayquest/testing';
import mongoose from 'mongoose';
import { startAllInOne } from '../../local/test/all-in-one-process.ts';
import { backUp, restore } from '../src/backup.ts';
import { admin } from './admin-process.ts';

const describeOnMongo = await describeWith('mongodb');

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wayquest-backup-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Returns all documents of an installation as hex, by service and collection. */
async function documentsIn(url: string, installation: string): Promise<Record<string, string[]>> {
  const client = await mongoose.mongo.MongoClient.connect(url);
  try {
    const all: Record<string, string[]> = {};
    for (const { name } of (await client.db().admin().listDatabases({ nameOnly: true })).databases) {
      if (!name.startsWith(`${installation}_`)) continue;
      for (const collection of await client.db(name).collections()) {
        const documents = await collection.find({}, { raw: true }).toArray();
        if (!documents.length) continue;
        const place = `${name.slice(installation.length)} ${collection.collectionName}`;
        all[place] = documents.map((raw) => Buffer.from(raw as unknown as Uint8Array).toString('hex')).sort();
      }
    }
    return all;
  } finally {
    await client.close();
  }
}

const drop = async (url: string, installation: string) => {
  const client = await mongoose.mongo.MongoClient.connect(url);
  for (const { name } of (await client.db().admin().listDatabases({ nameOnly: true })).databases)
    if (name.startsWith(`${installation}_`)) await client.db(name).dropDatabase();
  await client.close();
};

describe('a backup of a network', () => {
  let network: Network;
  beforeAll(async () => {
    // Push messages stay pending, so that the stores do not change while they are compared.
    network = await startNetwork({ notifications: { pushDelayMs: 3_600_000 } });
    const [ann, bob] = [await newUser(network), await newUser(network)];
    await befriend(ann, bob);
    const challenge = await newChallenge(bob, { position: { lat: 40.75, lng: -73.8 } });
    await network.settle();
    await complete(ann, challenge);
    await network.settle();
    const conversation = await ann.client.openConversation({ body: { friend: { id: bob.me.id } } });
    await ann.client.sendMessage({ body: { conversationId: conversation.id, text: 'Hello' } });
    await network.settle();
  });
  afterAll(() => network?.stop());

  const copies: [string, string][] = [];
  afterEach(async () => {
    for (const [url, installation] of copies.splice(0)) await drop(url, installation);
  });

  /** Creates a backup, and restores it into an empty installation. */
  const copyTo = async (url: string) => {
    const folder = join(directory, 'backup');
    const installation = `${network.databasePrefix}_copy`;
    copies.push([url, installation]);
    const place = { url: network.mongoUrl, installation: network.databasePrefix, folder };
    const saved = await backUp(place);
    const { total } = await restore({ url, installation, folder });
    return { saved, total, folder, copied: await documentsIn(url, installation) };
  };

  it('restores each document of each store exactly, in files that only their owner can read', async () => {
    const { saved, total, folder, copied } = await copyTo(network.mongoUrl);
    const original = await documentsIn(network.mongoUrl, network.databasePrefix);
    const own = Object.fromEntries(Object.entries(original).filter(([place]) => !place.startsWith('_copy')));
    expect(copied).toEqual(own);
    expect(Object.keys(copied)).toEqual(
      expect.arrayContaining(['_users awards', '_chat messages', '_participation participations']),
    );
    expect([saved, total]).toEqual([Object.values(own).flat().length, saved]);
    const files = await readdir(folder, { recursive: true });
    for (const file of files) expect((await stat(join(folder, file))).mode & 0o077).toBe(0);
  });

  it('requires an empty store, a complete backup and an empty folder', async () => {
    const { folder } = await copyTo(network.mongoUrl);
    const place = { url: network.mongoUrl, installation: network.databasePrefix, folder };
    await expect(restore(place)).rejects.toThrow('The store is not empty');
    await expect(backUp(place)).rejects.toThrow('is not empty');
  });

  it('writes nothing of a backup that was changed, is incomplete, or was made by a newer version (55.3)', async () => {
    const { folder } = await copyTo(network.mongoUrl);
    const installation = `${network.databasePrefix}_refused`;
    copies.push([network.mongoUrl, installation]);
    const damages: [string, (folder: string) => Promise<unknown>][] = [
      [
        'is truncated',
        async (copy) => {
          const file = join(copy, 'users', 'profiles.bson');
          await truncate(file, (await stat(file)).size - 1);
        },
      ],
      [
        'was changed after the backup was made',
        async (copy) => {
          const file = join(copy, 'users', 'profiles.bson');
          const bytes = await readFile(file);
          const letter = bytes.indexOf('user-') + 1;
          bytes.writeUInt8(bytes.readUInt8(letter) ^ 1, letter);
          await writeFile(file, bytes);
        },
      ],
      ['ENOENT', (copy) => rm(join(copy, 'users', 'profiles.bson'))],
      ['no complete backup', (copy) => rm(join(copy, 'backup.json'))],
      [
        'Version 999.0.0 made the backup',
        async (copy) => {
          const file = join(copy, 'backup.json');
          const contents = JSON.parse(await readFile(file, 'utf8'));
          await writeFile(file, JSON.stringify({ ...contents, wayquest: '999.0.0' }));
        },
      ],
    ];
    for (const [message, damage] of damages) {
      const copy = join(directory, 'damaged');
      await cp(folder, copy, { recursive: true });
      await damage(copy);
      const place = { url: network.mongoUrl, installation, folder: copy };
      await expect(restore(place)).rejects.toThrow(message);
      await expect(restore({ ...place, replace: true })).rejects.toThrow(message);
      expect(await documentsIn(network.mongoUrl, installation)).toEqual({});
      await rm(copy, { recursive: true });
    }
  });

  it('replaces what is in the store if it is asked to', async () => {
    const { folder, copied } = await copyTo(network.mongoUrl);
    const installation = `${network.databasePrefix}_copy`;
    const client = await mongoose.mongo.MongoClient.connect(network.mongoUrl);
    const users = client.db(`${installation}_users`);
    await users.collection('profiles').deleteMany({});
    await users.collection('half').insertOne({ from: 'an interrupted restore' });
    await client.close();
    await restore({ url: network.mongoUrl, installation, folder, replace: true });
    expect(await documentsIn(network.mongoUrl, installation)).toEqual(copied);
  });

  it('reads backups of 0.2.0, which have no hashes', async () => {
    const { folder, copied } = await copyTo(network.mongoUrl);
    const file = join(folder, 'backup.json');
    const { takenAt, counts } = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ version: 1, takenAt, counts }));
    const installation = `${network.databasePrefix}_former`;
    copies.push([network.mongoUrl, installation]);
    await restore({ url: network.mongoUrl, installation, folder });
    expect(await documentsIn(network.mongoUrl, installation)).toEqual(copied);
  });

  it('that fails leaves nothing, and says what was changed all the time', async () => {
    const client = await mongoose.mongo.MongoClient.connect(network.mongoUrl);
    const visits = client.db(`${network.databasePrefix}_users`).collection<{ _id: number }>('visits');
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await visits.updateOne({ _id: 1 }, { $inc: { count: 1 } }, { upsert: true });
    })();
    await eventually(() => visits.findOne({ _id: 1 }));
    const folder = join(directory, 'backup');
    const place = { url: network.mongoUrl, installation: network.databasePrefix, folder };
    await expect(backUp(place)).rejects.toThrow(/is being changed \(.*users\/visits.*\)\. Stop the gateway/);
    expect(await readdir(directory)).toEqual([]);
    isOver = true;
    await writing;
    await visits.drop();
    await client.close();
  });

  it('waits for unpublished events', async () => {
    const client = await mongoose.mongo.MongoClient.connect(network.mongoUrl);
    const profiles = client.db(`${network.databasePrefix}_users`).collection<{ _id: number }>('profiles');
    const [first] = await profiles.find().toArray();
    const _id = first?._id ?? 0;
    // Due so late that no outbox publishes it.
    await profiles.updateOne({ _id }, { $set: { outboxDueAt: new Date(Date.now() + 3_600_000) } });
    const folder = join(directory, 'backup');
    const place = { url: network.mongoUrl, installation: network.databasePrefix, folder };
    let isDone = false;
    const saving = backUp(place).then((count) => {
      isDone = true;
      return count;
    });
    await eventually(async () => (await readdir(directory)).includes('backup'));
    expect([await readdir(folder), isDone]).toEqual([[], false]);
    await profiles.updateOne({ _id }, { $unset: { outboxDueAt: 1 } });
    expect(await saving).toBeGreaterThan(10);
    await client.close();
  });

  describeOnMongo('on MongoDB', () => {
    it('can move the embedded store’s data to MongoDB', async () => {
      const { copied } = await copyTo(await useShared('mongodb'));
      const original = await documentsIn(network.mongoUrl, network.databasePrefix);
      expect(copied).toEqual(original);
    });
  });
});

it('npm run admin moves an installation into a new one, in which users can continue', async () => {
  const [before, after] = [join(directory, 'before'), join(directory, 'after')];
  const folder = join(directory, 'backup');
  const password = 'correct horse battery staple';
  const start = async (DATA_DIR: string) => startAllInOne({ DATA_DIR, PORT: String(await freePort()) });
  const connect = (url: string, token?: string) =>
    createClient({ baseUrl: url, ...(token && { token: () => token }) });

  const first = await start(before);
  const { token } = await connect(first.url).signup({ body: { username: 'ann', password } });
  const ann = connect(first.url, token);
  const created = await ann.createChallenge({ body: { name: 'Count the herons', difficulty: 'Easy' } });
  const line = await ann.joinChallenge({ body: { challengeId: created.id } });
  await ann.updateParticipation({ params: { id: line.id }, body: { completed: true } });
  await eventually(async () => expect((await ann.getMe()).points).toBe(created.points));
  const saved = await admin(['backup', folder], { DATA_DIR: before });
  expect(saved).toEqual({ code: 0, output: expect.stringMatching(/^\d+ documents are in /) });
  await first.end('SIGTERM');

  expect(await admin(['restore', folder], { DATA_DIR: after })).toEqual({
    code: 0,
    output: expect.stringMatching(/documents are as they were at .*Wayquest can be started/),
  });
  // With the keys copied, sessions continue.
  for (const half of ['privateFile', 'publicFile'] as const)
    await cp(keyFilesIn(before)[half], keyFilesIn(after)[half]);
  const second = await start(after);
  const again = connect(second.url, token);
  expect(await again.getMe()).toMatchObject({ username: 'ann', points: created.points });
  const next = await again.createChallenge({ body: { name: 'Count the ducks', difficulty: 'Easy' } });
  expect(next.id).toBeGreaterThan(created.id);
  expect(
    (await again.listParticipations({ query: { challengeId: created.id } })).map(
      ({ completed }) => completed,
    ),
  ).toEqual([true]);
  await connect(second.url).login({ body: { username: 'ann', password } });
  await second.end('SIGTERM');
});
