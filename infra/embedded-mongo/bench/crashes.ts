import { setTimeout as wait } from 'node:timers/promises';
import { type Collection, MongoClient, MongoServerError } from 'mongodb';
import { killChild, startChild, stopChild } from './child.ts';

/** The possible states of a document: the last one acknowledged, and the one requested when the server was killed. */
type Known = { states: (Doc | undefined)[] };
type Doc = { _id: string; unique: string; group: number; version: number };
/** Results of a round: counts of writes, ids of wrong documents, and mismatches between indexes and documents. */
export type Round = {
  acknowledged: number;
  undecided: number;
  lost: string[];
  unexpected: string[];
  mismatches: string[];
};

const WRITERS = 32;
const GROUPS = 7;

/** Writes until the server is killed; records acknowledged, rejected and undecided writes. Returns how many were acknowledged. */
async function write(
  collection: Collection<Doc>,
  name: string,
  known: Map<string, Known>,
  rejected: Set<string>,
): Promise<number> {
  let acknowledged = 0;
  for (let n = 0; ; n++) {
    const _id = `${name}-${n}`;
    let current: Doc | undefined;
    const attempt = async (next: Doc | undefined, run: () => Promise<unknown>): Promise<boolean> => {
      known.set(_id, { states: [current, next] });
      try {
        await run();
      } catch (error) {
        if (error instanceof MongoServerError) throw error;
        return false;
      }
      current = next;
      known.set(_id, { states: [next] });
      acknowledged++;
      return true;
    };
    const first: Doc = { _id, unique: `u-${_id}`, group: n % GROUPS, version: 0 };
    if (!(await attempt(first, () => collection.insertOne({ ...first })))) return acknowledged;
    const second = { ...first, group: (n + 3) % GROUPS, version: 1 };
    const change = { $set: { group: second.group }, $inc: { version: 1 } };
    if (!(await attempt(second, () => collection.updateOne({ unique: first.unique }, change))))
      return acknowledged;
    if (n % 5 === 0) {
      // The unique key is taken, so this insert must be rejected, and the document never be stored.
      const duplicate = `duplicate-${_id}`;
      const code = await collection.insertOne({ ...first, _id: duplicate }).catch((error) => error.code);
      if (code === 11000) rejected.add(duplicate);
      else if (typeof code === 'object') throw new Error(`${duplicate} was accepted`);
      else return acknowledged;
    }
    if (n % 4 === 0 && !(await attempt(undefined, () => collection.deleteOne({ _id })))) return acknowledged;
  }
}

const same = (a: Doc | undefined, b: Doc | undefined) =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.unique === b.unique &&
    a.group === b.group &&
    a.version === b.version);

/** Compares the stored documents with the known ones, and the results of every index with a full scan. */
async function check(
  collection: Collection<Doc>,
  known: Map<string, Known>,
  rejected: Set<string>,
): Promise<Omit<Round, 'acknowledged' | 'undecided'>> {
  const stored = new Map((await collection.find({}).toArray()).map((doc) => [doc._id, doc]));
  const lost = [...known]
    .filter(([id, { states }]) => !states.some((state) => same(state, stored.get(id))))
    .map(([id]) => id);
  const unexpected = [...stored.keys()].filter((id) => rejected.has(id) || !known.has(id));
  const mismatches: string[] = [];
  const compare = (name: string, found: Doc[], expected: number) => {
    const right = found.length === expected && found.every((doc) => same(doc, stored.get(doc._id)));
    if (!right) mismatches.push(`${name}: ${found.length} of ${expected}`);
  };
  for (let group = 0; group < GROUPS; group++) {
    const found = await collection.find({ group }, { hint: 'group_1_version_-1' }).toArray();
    compare(`group ${group}`, found, [...stored.values()].filter((doc) => doc.group === group).length);
  }
  compare(
    'unique',
    await collection.find({ unique: { $gt: '' } }, { hint: 'unique_1' }).toArray(),
    stored.size,
  );
  compare('_id', await collection.find({ _id: { $gt: '' } }, { hint: '_id_' }).toArray(), stored.size);
  // From now on, the server must keep the states of undecided writes that it has stored.
  for (const id of known.keys()) known.set(id, { states: [stored.get(id)] });
  return { lost, unexpected, mismatches };
}

/**
 * Kills a server during writes repeatedly, and checks each time which documents it kept.
 *
 * @param onRound - called after every round
 */
export async function runCrashes(
  directory: string,
  rounds: number,
  onRound: (round: Round, number: number) => void,
): Promise<Round[]> {
  const results: Round[] = [];
  const known = new Map<string, Known>();
  const rejected = new Set<string>();
  for (let round = 1; round <= rounds; round++) {
    const child = await startChild(directory);
    const client = await MongoClient.connect(child.url, {
      maxPoolSize: WRITERS,
      serverSelectionTimeoutMS: 500,
      retryWrites: false,
    });
    const collection = client.db('crashes').collection<Doc>('docs');
    await collection.createIndex({ unique: 1 }, { unique: true });
    await collection.createIndex({ group: 1, version: -1 });
    const writers = Array.from({ length: WRITERS }, (_, i) =>
      write(collection, `${round}-${i}`, known, rejected),
    );
    // Random, so that every round is killed at another point.
    await wait(200 + Math.random() * 800);
    await killChild(child);
    const acknowledged = (await Promise.all(writers)).reduce((a, b) => a + b, 0);
    await client.close();
    const undecided = [...known.values()].filter(({ states }) => states.length > 1).length;
    const restarted = await startChild(directory);
    const reader = await MongoClient.connect(restarted.url);
    const found = await check(reader.db('crashes').collection<Doc>('docs'), known, rejected);
    await reader.close();
    await stopChild(restarted);
    const result = { acknowledged, undecided, ...found };
    results.push(result);
    onRound(result, round);
  }
  return results;
}
