import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BSON, type Collection, MongoClient } from 'mongodb';
import { killChild, startChild, stopChild } from './child.ts';

/** Returns a generator of numbers in [0, 1), reproducible by its seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Encodes a command as a message of the wire protocol; `sequence` is sent as a section of documents. */
export function message(doc: BSON.Document, sequence?: BSON.Document[]): Buffer {
  const body = BSON.serialize(doc);
  const parts = [Buffer.from([0]), body];
  if (sequence) {
    const docs = Buffer.concat(sequence.map((each) => BSON.serialize(each)));
    const head = Buffer.alloc(4);
    const name = Buffer.from('documents\0');
    head.writeInt32LE(4 + name.length + docs.length);
    parts.push(Buffer.from([1]), head, name, docs);
  }
  const rest = Buffer.concat(parts);
  const header = Buffer.alloc(20);
  header.writeInt32LE(20 + rest.length, 0);
  header.writeInt32LE(7, 4);
  header.writeInt32LE(2013, 12);
  return Buffer.concat([header, rest]);
}

/** Sends a command without a driver; returns the reply. */
export async function sendCommand(port: number, command: BSON.Document): Promise<BSON.Document> {
  const socket = connect(port, '127.0.0.1');
  socket.write(message(command));
  const [reply] = await once(socket, 'data');
  socket.destroy();
  return BSON.deserialize(reply.subarray(21));
}

/** Returns a document nested to this depth, deeper than a parser should accept. */
function nested(depth: number): BSON.Document {
  let doc: BSON.Document = { x: 1 };
  for (let i = 0; i < depth; i++) doc = i % 2 ? { x: doc } : { x: [doc] };
  return doc;
}

const VALID = [
  message({ find: 'fuzz', filter: { a: { $gt: 1, $in: [1, 'x'] } }, sort: { a: 1 }, limit: 3, $db: 'fuzz' }),
  message({ insert: 'fuzz', ordered: false, $db: 'fuzz' }, [
    { a: 1, b: ['x', { c: new Date() }] },
    { a: 'x' },
  ]),
  message({
    update: 'fuzz',
    updates: [{ q: { a: 1 }, u: { $push: { b: { $each: [1], $slice: -3 } } }, upsert: true }],
    $db: 'fuzz',
  }),
  message({
    aggregate: 'fuzz',
    pipeline: [{ $match: { a: 1 } }, { $group: { _id: '$a', n: { $sum: 1 } } }],
    cursor: {},
    $db: 'fuzz',
  }),
  message({ findAndModify: 'fuzz', query: { a: /x/i }, update: { $inc: { n: 1 } }, new: true, $db: 'fuzz' }),
  message({ createIndexes: 'fuzz', indexes: [{ key: { a: 1 }, name: 'a_1' }], $db: 'fuzz' }),
  message({ find: 'fuzz', filter: nested(150), $db: 'fuzz' }),
  message({ insert: 'fuzz', documents: [nested(250)], $db: 'fuzz' }),
  message({ hello: 1, $db: 'admin' }),
];

/** Returns a valid message with an error in it, or random bytes. */
function malformed(random: () => number): Buffer {
  const pick = (n: number) => Math.floor(random() * n);
  if (random() < 0.1) return Buffer.from(Array.from({ length: 1 + pick(80) }, () => pick(256)));
  const bytes = Buffer.from(VALID[pick(VALID.length)] ?? []);
  const kind = random();
  if (kind < 0.5) for (let i = 0; i <= pick(4); i++) bytes[16 + pick(bytes.length - 16)] = pick(256);
  else if (kind < 0.65)
    bytes.writeInt32LE(pick(2) ? pick(2 ** 31) : -pick(2 ** 31), 20 + pick(Math.max(1, bytes.length - 24)));
  else if (kind < 0.75) bytes.writeInt32LE(pick(2) ? pick(400) : pick(2 ** 32) - 2 ** 31, 0);
  else if (kind < 0.85) {
    const short = bytes.subarray(0, 16 + pick(bytes.length - 16));
    short.writeInt32LE(short.length, 0);
    return short;
  } else bytes[pick(bytes.length)] = pick(256);
  return bytes;
}

/** Sends an input, and waits until the server has replied or closed the connection; incomplete inputs are then closed. */
async function sendInput(port: number, input: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const settled = Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => {});
  socket.end(input);
  await settled;
  socket.destroy();
}

/**
 * Sends malformed messages to a server, and inserts documents meanwhile.
 *
 * @param inputs - number of messages
 * @param seed - seed of the generated messages
 * @returns how many acknowledged documents are missing afterwards
 */
export async function runGarbage(url: string, inputs: number, seed: number): Promise<{ lost: number }> {
  const random = randomFrom(seed);
  const port = Number(new URL(url).port);
  const client = await MongoClient.connect(url);
  const documents: Collection<{ _id: number; text: string }> = client.db('documents').collection('docs');
  let next = 0;
  const worker = async () => {
    while (next < inputs) {
      const i = next++;
      await sendInput(port, malformed(random));
      if (i % 100 === 0) await documents.insertOne({ _id: i, text: `documents ${i}` });
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  const stored = new Set((await documents.find().toArray()).map(({ _id }) => _id));
  let lost = 0;
  for (let i = 0; i < inputs; i += 100) if (!stored.has(i)) lost++;
  await client.close();
  return { lost };
}

/** Opens this number of concurrent connections, each of which writes a document; returns how many succeeded. */
export async function runConnections(url: string, count: number): Promise<number> {
  const port = Number(new URL(url).port);
  const sockets: Socket[] = [];
  const served = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(message({ insert: 'many', documents: [{ _id: i }], $db: 'many' }));
      const [reply] = await once(socket, 'data');
      const result = BSON.deserialize(reply.subarray(21));
      return result.ok === 1 && result.n === 1;
    }),
  );
  for (const socket of sockets) socket.destroy();
  return served.filter(Boolean).length;
}

type Text = { _id: number; text: string };

/** Writes documents, one after another and concurrently; returns the ids stored afterwards, and the codes of rejected writes. */
async function write(url: string, from: number): Promise<{ stored: number[]; rejections: unknown[] }> {
  const client = await MongoClient.connect(url);
  const texts: Collection<Text> = client.db('full').collection('texts');
  const rejections: unknown[] = [];
  const insert = (_id: number) =>
    texts.insertOne({ _id, text: 'x'.repeat(20_000) }).catch((error) => rejections.push(error.code));
  for (let i = 0; i < 20; i++) await insert(from + i);
  await Promise.all(Array.from({ length: 20 }, (_, i) => insert(from + 20 + i)));
  const stored = (await texts.find({}, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id);
  await client.close();
  return { stored, rejections };
}

/** Returns the stored ids and rejected writes before the disk is full, while it is full, and afterwards. */
export async function runFullDisk(directory: string) {
  const first = await startChild(directory);
  const before = await write(first.url, 0);
  await killChild(first);
  const full = await startChild(directory, true);
  const during = await write(full.url, 100);
  await killChild(full);
  const last = await startChild(directory);
  const after = await write(last.url, 200);
  await stopChild(last);
  return { before, during, after };
}
