import { setTimeout as wait } from 'node:timers/promises';
import { type Collection, MongoClient, MongoServerError } from 'mongodb';
import { killChild, startChild, stopChild } from './child.ts';

/** What may be stored of a document: the state last acknowledged, and the one asked for when the server died. */
type Known = { states: (Doc | undefined)[] };
type Doc = { _id: string; unique: string; group: number; version: number };
export type Round = {
  acknowledged: number;
  undecided: number;
  lost: string[];
  ghosts: string[];
  disagreements: string[];
};

const WRITERS = 32;
const GROUPS = 7;

/** Writes until the server is gone, keeping note of what it acknowledged, refused and left open. */
async function write(
  collection: Collection<Doc>,
  name: string,
  known: Map<string, Known>,
  refused: Set<string>,
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
      // The unique key is taken, so this one has to be refused and never be seen.
      const ghost = `ghost-${_id}`;
      const code = await collection.insertOne({ ...first, _id: ghost }).catch((error) => error.code);
      if (code === 11000) refused.add(ghost);
      else if (typeof code === 'object') throw new Error(`${ghost} was accepted`);
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

/** Compares what is stored with what is known, and what every index says with what a look through all says. */
async function check(
  collection: Collection<Doc>,
  known: Map<string, Known>,
  refused: Set<string>,
): Promise<Omit<Round, 'acknowledged' | 'undecided'>> {
  const stored = new Map((await collection.find({}).toArray()).map((doc) => [doc._id, doc]));
  const lost = [...known]
    .filter(([id, { states }]) => !states.some((state) => same(state, stored.get(id))))
    .map(([id]) => id);
  const ghosts = [...stored.keys()].filter((id) => refused.has(id) || !known.has(id));
  const disagreements: string[] = [];
  const agree = (name: string, found: Doc[], expected: number) => {
    const right = found.length === expected && found.every((doc) => same(doc, stored.get(doc._id)));
    if (!right) disagreements.push(`${name}: ${found.length} of ${expected}`);
  };
  for (let group = 0; group < GROUPS; group++) {
    const found = await collection.find({ group }, { hint: 'group_1_version_-1' }).toArray();
    agree(`group ${group}`, found, [...stored.values()].filter((doc) => doc.group === group).length);
  }
  agree(
    'unique',
    await collection.find({ unique: { $gt: '' } }, { hint: 'unique_1' }).toArray(),
    stored.size,
  );
  agree('_id', await collection.find({ _id: { $gt: '' } }, { hint: '_id_' }).toArray(), stored.size);
  // What the server did keep of the undecided is from now on what it has to keep.
  for (const id of known.keys()) known.set(id, { states: [stored.get(id)] });
  return { lost, ghosts, disagreements };
}

/** Kills a server in the midst of writes, again and again, and checks each time what it kept. */
export async function runCrashes(
  directory: string,
  rounds: number,
  seen: (round: Round, number: number) => void,
): Promise<Round[]> {
  const results: Round[] = [];
  const known = new Map<string, Known>();
  const refused = new Set<string>();
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
      write(collection, `${round}-${i}`, known, refused),
    );
    // How long the writers run is the point of this, and no two rounds are alike.
    await wait(200 + Math.random() * 800);
    await killChild(child);
    const acknowledged = (await Promise.all(writers)).reduce((a, b) => a + b, 0);
    await client.close();
    const undecided = [...known.values()].filter(({ states }) => states.length > 1).length;
    const again = await startChild(directory);
    const reader = await MongoClient.connect(again.url);
    const found = await check(reader.db('crashes').collection<Doc>('docs'), known, refused);
    await reader.close();
    await stopChild(again);
    const result = { acknowledged, undecided, ...found };
    results.push(result);
    seen(result, round);
  }
  return results;
}
