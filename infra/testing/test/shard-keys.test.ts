import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failedDeliveryModel } from '@wayquest/platform/bus';
import { type Network, startNetwork } from '@wayquest/testing';
import mongoose, { type Connection } from 'mongoose';

/** Unique indexes that prevent sharding, and what each needs before it (infra/docs/scaling.md). */
const documentedExceptions: Record<string, string> = {
  'auth.accounts usernameKey': 'a claim: accounts are found by id',
  'auth.accounts googleId': 'a claim: accounts are found by id',
  'auth.accounts openId': 'a claim: accounts are found by id',
  'challenges.challenges idempotency.key': 'a claim: challenges are found by id',
  'challenges.challenges suggestion': 'a claim: challenges are found by id',
  'chat.conversations pair': 'a claim: each message looks for its conversation by id',
  'chat.messages clientKey': 'a claim: messages are read by ranges of ids',
  'friends.friend_requests pair': 'a claim: requests are found by id, and a tombstone gives its pair up',
  'moderation.audit place': 'a claim: participations are found by what they are about',
  'participation.participations key': 'userId before it, and a tombstone that keeps a key of its own',
  'users.awards ownChallengeSlot': 'userId before it, and a slot of its own where an award took none',
};

const services = join(import.meta.dirname, '../../../services');

/** Returns the collections that occur in the source of services. */
async function collectionsInSource(): Promise<string[]> {
  const files = await readdir(services, { recursive: true });
  const sources = files.filter((file) => /^(shared\/)?[^/]+\/src\/.*\.ts$/.test(file));
  const texts = await Promise.all(sources.map((file) => readFile(join(services, file), 'utf8')));
  return texts.flatMap((text) =>
    [...text.matchAll(/connection\.model\b[^;]*?'([\w-]+)',?\s*\)/g)].map(([, name = '']) => name),
  );
}

/** The parts of a collection's schema that matter for sharding. */
interface Collection {
  name: string;
  shardKey: string[];
  required: string[];
  unique: string[][];
}

const collectionsOf = (service: string, { models }: Connection): Collection[] =>
  Object.values(models).map(({ schema, collection }) => ({
    name: `${service}.${collection.name}`,
    shardKey: Object.keys(schema.get('shardKey') ?? {}),
    required: schema.requiredPaths(true),
    unique: schema
      .indexes()
      .filter(([, options]) => options.unique)
      .map(([fields]) => Object.keys(fields)),
  }));

describe('the shard keys', () => {
  let network: Network;
  let bus: Connection;
  let collections: Collection[];

  beforeAll(async () => {
    network = await startNetwork({
      // With an external geocoder there is also a collection with its responses.
      settings: { PLACES_GEOCODER: 'photon', PLACES_CONTACT: 'ops@wayquest.example' },
    });
    bus = mongoose.createConnection();
    failedDeliveryModel(bus);
    const prefix = `${network.databasePrefix}_`;
    const stores = mongoose.connections.filter(({ name }) => name?.startsWith(prefix));
    collections = [
      ...stores.flatMap((store) => collectionsOf(store.name.slice(prefix.length), store)),
      ...collectionsOf('bus', bus),
    ];
  });
  afterAll(async () => {
    await bus?.close();
    await network?.stop();
  });

  it('include every collection of every service', async () => {
    const seen = new Set(collections.map(({ name }) => name.split('.')[1]));
    expect(seen).toEqual(new Set(await collectionsInSource()));
    expect(new Set(collections.map(({ name }) => name.split('.')[0]))).toEqual(
      new Set([...network.names, 'bus']),
    );
  });

  it('are declared by every schema, and required in every document', () => {
    for (const { name, shardKey, required } of collections) {
      expect({ name, shardKey }).not.toEqual({ name, shardKey: [] });
      expect({ name, required }).toEqual({ name, required: expect.arrayContaining(shardKey) });
    }
  });

  it('are prefixes of every unique index, except for documented ones', () => {
    const others = collections.flatMap(({ name, shardKey, unique }) =>
      unique
        .filter((fields) => shardKey.some((field, index) => fields[index] !== field))
        .map((fields) => `${name} ${fields.join(', ')}`),
    );
    expect(others.toSorted()).toEqual(Object.keys(documentedExceptions).toSorted());
  });
});
