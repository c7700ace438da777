import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { BSON, MongoClient } from 'mongodb';
import mongoose from 'mongoose';
import { startEmbeddedMongo } from '../src/index.ts';
import { codeOf, newFolder, restart, startServer } from './server.ts';

describe('the server', () => {
  it('keeps documents and unique indexes across a restart, and stays empty after its database was dropped', async () => {
    const first = await startServer();
    const people = first.db.collection('people');
    await people.createIndex({ name: 1 }, { unique: true });
    await people.insertMany([{ name: 'ann' }, { name: 'bob' }]);
    await people.updateOne({ name: 'bob' }, { $set: { name: 'bea' } });
    const second = await restart(first);
    const names = (
      await second.db
        .collection('people')
        .find({}, { sort: { name: 1 } })
        .toArray()
    ).map(({ name }) => name);
    expect(names).toEqual(['ann', 'bea']);
    expect(await codeOf(second.db.collection('people').insertOne({ name: 'ann' }))).toBe(11000);
    await second.db.dropDatabase();
    const third = await restart(second);
    expect(await third.db.listCollections().toArray()).toEqual([]);
    await third.stop();
  });

  it('rejects a folder that is already open in the process', async () => {
    const running = await startServer();
    await expect(startEmbeddedMongo({ directory: running.directory })).rejects.toThrow(
      'already open in this process',
    );
    await running.stop();
  });

  it('reports files whose format it cannot read', async () => {
    const running = await startServer();
    const { Storage } = await import('../src/storage.ts');
    await running.stopKeepingFolder();
    const storage = new Storage(running.directory);
    storage.write(Buffer.alloc(10), BSON.serialize({ format: 99 }));
    await storage.flushed();
    await storage.close();
    await expect(startEmbeddedMongo({ directory: running.directory })).rejects.toThrow('format 99');
  });

  it('also listens on a unix socket', async () => {
    const socketPath = join(newFolder(), 'mongo.sock');
    const server = await startEmbeddedMongo({ directory: newFolder(), socketPath });
    const client = await MongoClient.connect(`mongodb://${encodeURIComponent(socketPath)}`);
    expect(await client.db('test').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await client.close();
    await server.stop();
  });

  it('announces itself as a standalone server that mongoose can use, with models', async () => {
    const running = await startServer();
    const hello = await running.db.command({ hello: 1 });
    expect(hello).toMatchObject({ minWireVersion: 0, maxWireVersion: 21, isWritablePrimary: true });
    expect(hello).not.toHaveProperty('setName');
    expect(hello).not.toHaveProperty('topologyVersion');
    const connection = await mongoose.createConnection(`${running.server.url}/models`).asPromise();
    const schema = new mongoose.Schema(
      { name: { type: String, unique: true }, tags: [String] },
      { timestamps: true, optimisticConcurrency: true },
    );
    const Person = connection.model('Person', schema);
    await Person.init();
    const ann = await Person.create({ name: 'ann' });
    ann.tags.push('x', 'y');
    await ann.save();
    const changed = await Person.findOneAndUpdate(
      { name: 'ann' },
      { $pull: { tags: 'x' } },
      { returnDocument: 'after' },
    ).lean();
    expect(changed).toMatchObject({ name: 'ann', tags: ['y'] });
    await expect(Person.create({ name: 'ann' })).rejects.toMatchObject({
      code: 11000,
      keyValue: { name: 'ann' },
    });
    await connection.close();
    await running.stop();
  });

  it('supports the legacy hello, and no other legacy command', async () => {
    const running = await startServer();
    const sendLegacyQuery = async (namespace: string, query: object) => {
      const body = BSON.serialize(query);
      const name = Buffer.from(`${namespace}\0`);
      const bytes = Buffer.alloc(16 + 4 + name.length + 8 + body.length);
      bytes.writeInt32LE(bytes.length, 0);
      bytes.writeInt32LE(2004, 12);
      name.copy(bytes, 20);
      bytes.writeInt32LE(-1, 20 + name.length + 4);
      bytes.set(body, 20 + name.length + 8);
      const socket = connect(running.server.port, '127.0.0.1');
      socket.write(bytes);
      const [reply] = await once(socket, 'data');
      socket.destroy();
      return BSON.deserialize(reply.subarray(36));
    };
    expect(await sendLegacyQuery('admin.$cmd', { isMaster: 1, helloOk: true })).toMatchObject({
      helloOk: true,
      ok: 1,
    });
    expect(await sendLegacyQuery('test.people', { name: 'x' })).toMatchObject({ ok: 0, code: 352 });
    const insert = { insert: 'people', documents: [{}] };
    expect(await sendLegacyQuery('test.$cmd', insert)).toMatchObject({ ok: 0, code: 352 });
    await running.stop();
  });

  it('lists databases and collections', async () => {
    const running = await startServer();
    await running.db.createCollection('one');
    await running.db.collection('two').insertOne({ a: 1 });
    expect(
      (await running.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
    ).toEqual(['one', 'two']);
    expect((await running.db.admin().listDatabases()).databases.map(({ name }) => name)).toEqual(['test']);
    expect(await codeOf(running.db.createCollection('one'))).toBe(48);
    expect(await running.db.admin().serverStatus()).toMatchObject({ ok: 1, collections: 2 });
    await running.stop();
  });
});
