import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith, useShared } from '@wayquest/testing';
import { BSON, MongoClient } from 'mongodb';
import { dump } from '../src/files.ts';
import { createFilledFolder } from './filled-folder.ts';
import { newFolder } from './server.ts';

(await describeWith('mongodb'))('a small installation', () => {
  it('can be moved to MongoDB, by mongorestore or by hand', async () => {
    const url = await useShared('mongodb');
    const target = newFolder();
    await dump(await createFilledFolder(), target);
    const client = await MongoClient.connect(url);
    const people = client.db('town').collection('people');
    await client.db('town').dropDatabase();
    if (spawnSync('mongorestore', ['--uri', url, target]).error) {
      // Without mongorestore, the test restores the files according to their format.
      const bytes = readFileSync(join(target, 'town', 'people.bson'));
      for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) {
        await people.insertOne(BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at))));
      }
      const { indexes } = BSON.EJSON.parse(
        readFileSync(join(target, 'town', 'people.metadata.json'), 'utf8'),
      );
      for (const { key, v: _, ...options } of indexes.slice(1)) await people.createIndex(key, options);
    }
    expect(await people.find({}, { sort: { name: 1 } }).toArray()).toMatchObject([
      { name: 'ann', n: 5 },
      { name: 'bob' },
    ]);
    expect((await people.indexes()).map(({ name }) => name)).toEqual(['_id_', 'name_1']);
    await client.close();
  });
});
