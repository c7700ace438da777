import { backfillTokens, foldText, searchByTokens, tokenize } from '@wayquest/platform/search';
import { prepareStore } from '@wayquest/platform/store';
import { connectTestStore, dropDatabases, storeUrl } from '@wayquest/testing';
import { type Connection, type Model, Schema } from 'mongoose';

const database = `test_search_${process.pid}_${Date.now()}`;
interface Place {
  _id: number;
  words: string[];
}
let connection: Connection;
let Places: Model<Place>;
beforeAll(async () => {
  connection = await connectTestStore(database);
  const schema = new Schema<Place>({ _id: Number, words: [String] });
  schema.index({ words: 1 });
  Places = connection.model('Place', schema);
  await prepareStore(connection);
  const names = ['Old Mill', 'The old mill’s garden', 'Café Noir'];
  await Places.create(names.map((name, index) => ({ _id: index + 1, words: tokenize([name]) })));
});
afterAll(async () => {
  await connection?.close();
  await dropDatabases(storeUrl(), [database]);
});

test.each([
  ['mill', [1, 2]],
  ['OLD mil', [1, 2]],
  ['mill garden', [2]],
  ['cafe', [3]],
  ['mill cafe', []],
  ['…!', []],
  ['', []],
])('a search for "%s" finds the documents %j', async (text, ids) => {
  const { filter } = await searchByTokens(Places, text);
  const found = await Places.find(filter, { _id: 1 }).sort({ _id: 1 }).lean();
  expect(found.map(({ _id }) => _id)).toEqual(ids);
});

test.each([
  ['カフェ', 'かふぇ'],
  ['ﾊﾟﾘ', 'ぱり'],
  ['LÓPEZ', 'lopez'],
])('%s is found as %s', (text, folded) => {
  expect(foldText(text)).toBe(foldText(folded));
});

test('a word that begins another one of the search is not searched for itself', async () => {
  const { filter } = await searchByTokens(Places, 'mi mill');
  expect(filter.$and).toHaveLength(1);
});

test('a migration adds tokens to documents without any, and folds those of an older version', async () => {
  interface Person {
    _id: number;
    name: string;
    words: string[];
  }
  const schema = new Schema<Person>({
    _id: Number,
    name: String,
    words: { type: [String], default: undefined },
  });
  schema.index({ words: 1 });
  const People: Model<Person> = connection.model('Person', schema);
  await prepareStore(connection);
  await connection.collection<Omit<Person, 'words'> & { words?: string[] }>('people').insertMany([
    { _id: 1, name: 'Ada López' },
    { _id: 2, name: 'Grace', words: ['Grace', 'カフェ'] },
    { _id: 3, name: 'Alan', words: ['alan'] },
  ]);
  await backfillTokens(People, ['name']);
  const found = await People.find({}, { words: 1 }).sort({ _id: 1 }).lean();
  expect(found.map(({ words }) => words)).toEqual([['ada', 'lopez'], ['grace', 'かふぇ'], ['alan']]);
});
