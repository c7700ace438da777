import { isUnavailable } from '@wayquest/platform/core';
import { connectRedis } from '@wayquest/platform/redis';
import { connectMongo, prepareStore } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { freePort, startDedicated } from '@wayquest/testing';
import { MongoClient } from 'mongodb';
import mongoose from 'mongoose';

const logger = createLogger({ name: 'test', level: 'silent' });

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error) => error,
  );

const unreachableUrl = async () => `mongodb://127.0.0.1:${await freePort()}/?serverSelectionTimeoutMS=100`;

describe('an unavailable dependency is distinguished from an invalid request', () => {
  test('a store that never responded', async () => {
    const error = await errorOf(mongoose.createConnection(await unreachableUrl()).asPromise());
    expect(isUnavailable(error)).toBe(true);
    expect(isUnavailable(new Error('could not keep it', { cause: error }))).toBe(true);
    expect(isUnavailable(await errorOf(MongoClient.connect(await unreachableUrl())))).toBe(true);
  });

  test('a store that stopped during a call', async () => {
    const store = await startDedicated('embedded-store');
    const url = `${store.address}/?serverSelectionTimeoutMS=3000`;
    const connection = await mongoose.createConnection(url, { dbName: 'test_away' }).asPromise();
    const Things = connection.model('Thing', new mongoose.Schema({ _id: Number }), 'things');
    await Things.create({ _id: 1 });
    expect(isUnavailable(await errorOf(Things.create({ _id: 1 })))).toBe(false);
    await store.shutDown();
    expect(isUnavailable(await errorOf(Things.create({ _id: 2 })))).toBe(true);
    const inBulk = [{ insertOne: { document: { _id: 3 } } }];
    expect(isUnavailable(await errorOf(Things.bulkWrite(inBulk)))).toBe(true);
    await connection.close();
  });

  test('a store that is stopped during the start, which continues when it is available', async () => {
    const store = await startDedicated('embedded-store');
    const connection = await connectMongo({ url: store.address, database: 'test_start', logger });
    const Things = connection.model('Thing', new mongoose.Schema({ _id: Number, name: String }), 'things');
    Things.schema.index({ name: 1 });
    await store.shutDown();
    const prepared = prepareStore(connection);
    await store.restart();
    await prepared;
    expect(Object.keys((await Things.collection.indexInformation()) ?? {})).toContain('name_1');
    await connection.close();
  });

  test('options in the store’s URL override those of the driver', async () => {
    const url = `${(await startDedicated('embedded-store')).address}/?serverselectiontimeoutms=7000`;
    const connection = await connectMongo({ url, database: 'test_silent', logger });
    const { serverSelectionTimeoutMS, connectTimeoutMS } = connection.getClient().options;
    expect({ serverSelectionTimeoutMS, connectTimeoutMS }).toEqual({
      serverSelectionTimeoutMS: 7_000,
      connectTimeoutMS: 30_000,
    });
    await connection.close();
  });

  test('a Redis that does not respond', async () => {
    const redis = connectRedis(`redis://127.0.0.1:${await freePort()}`, logger);
    expect(isUnavailable(await errorOf(redis.ping()))).toBe(true);
    redis.disconnect();
    expect(isUnavailable(await errorOf(redis.ping()))).toBe(true);
  });

  test('an error of the request itself is not unavailability', () => {
    for (const error of [
      new Error('no'),
      new TypeError('x is undefined'),
      new SyntaxError('{'),
      'away',
      undefined,
    ])
      expect(isUnavailable(error)).toBe(false);
  });
});
