import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { Schema } from 'mongoose';
import { type Child, startChild, stopChild } from './child.ts';

const DOCUMENTS = Number(process.env.DOCUMENTS ?? 100_000);
const SECONDS = Number(process.env.SECONDS_EACH ?? 5);
const WARM_UP = 2;
const CONCURRENCY = 32;

const schema = new Schema(
  {
    number: { type: Number, unique: true },
    name: { type: String, index: true },
    group: Number,
    score: Number,
    when: Date,
    place: { city: String, state: String },
    tags: [String],
    text: String,
  },
  { autoIndex: false },
);
schema.index({ group: 1, when: -1 });

/** A document of 600 bytes of BSON. */
const documentOf = (number: number) => ({
  number,
  name: `person-${(number * 7919) % DOCUMENTS}`,
  group: number % 100,
  score: (number * 104_729) % 1_000_003,
  when: new Date(1_700_000_000_000 + number * 1000),
  place: { city: 'Hoboken', state: 'NJ' },
  tags: ['walk', 'river', 'evening'],
  text: 'x'.repeat(401),
});

const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
const at = (times: number[], share: number) =>
  times.sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;

/** Returns the server's CPU time in microseconds, which depends less on other load of the machine than elapsed time. */
function processorTime(): number {
  if (!child) return Number.NaN;
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Repeats a call at this concurrency for some seconds; returns the duration of each call in milliseconds. */
async function repeat(
  seconds: number,
  concurrency: number,
  run: (i: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  let next = 0;
  const worker = async () => {
    while (performance.now() < end) {
      const before = performance.now();
      await run((next++ * 7919) % DOCUMENTS);
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return times;
}

async function rate(name: string, concurrency: number, run: (i: number) => Promise<unknown>): Promise<void> {
  await repeat(WARM_UP, concurrency, run);
  const [started, used] = [performance.now(), processorTime()];
  const times = await repeat(SECONDS, concurrency, run);
  const perSecond = times.length / ((performance.now() - started) / 1000);
  const each = child
    ? `, ${((processorTime() - used) / times.length).toFixed(0)} µs of the server's CPU`
    : '';
  const spread = `median ${median(times).toFixed(2)} ms, 99th ${at(times, 0.99).toFixed(2)} ms${each}`;
  console.log(`${name.padEnd(44)} ${perSecond.toFixed(0).padStart(7)}/s   ${spread}`);
}

async function once(name: string, times: number, run: (i: number) => Promise<unknown>): Promise<void> {
  const durations: number[] = [];
  for (let i = 0; i < times; i++) {
    const before = performance.now();
    await run(i);
    durations.push(performance.now() - before);
  }
  console.log(
    `${name.padEnd(44)} ${median(durations).toFixed(2).padStart(7)} ms  worst ${at(durations, 1 - 1e-9).toFixed(2)} ms`,
  );
}

const memory = ({ pid }: Child) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

const directory = mkdtempSync(join(process.env.FIGURES_DIR ?? tmpdir(), 'embedded-mongo-figures-'));
const given = process.env.MONGO_URL;
let child = given ? undefined : await startChild(directory);
const url = given ?? child?.url ?? '';
let connection = await mongoose.createConnection(`${url}/figures`, { maxPoolSize: CONCURRENCY }).asPromise();
await connection.dropDatabase();
let People = connection.model('Person', schema);
await People.createIndexes();

const started = performance.now();
for (let i = 0; i < DOCUMENTS; i += 1000) {
  const some = Array.from({ length: Math.min(1000, DOCUMENTS - i) }, (_, j) => documentOf(i + j));
  await connection.collection<ReturnType<typeof documentOf>>('people').insertMany(some);
}
console.log(`${DOCUMENTS} documents stored in ${((performance.now() - started) / 1000).toFixed(1)} s`);
if (child) {
  await connection.close();
  await stopChild(child);
  child = await startChild(directory);
  console.log(`start with ${DOCUMENTS} documents ${child.startMs.toFixed(0)} ms, then ${memory(child)} MB`);
  connection = await mongoose
    .createConnection(`${child.url}/figures`, { maxPoolSize: CONCURRENCY })
    .asPromise();
  People = connection.model('Person', schema);
}

const ids = (await People.find({}, { _id: 1 }).sort({ number: 1 }).lean()).map(({ _id }) => _id);
await rate(`point reads by _id, ${CONCURRENCY} in flight`, CONCURRENCY, (i) =>
  People.findById(ids[i]).lean(),
);
await rate(`unique look-ups, ${CONCURRENCY} in flight`, CONCURRENCY, (i) =>
  People.findOne({ number: i }).lean(),
);
await once('page of 20, sorted by an index', 300, (i) =>
  People.find({ group: i % 100 })
    .sort({ when: -1 })
    .limit(20)
    .lean(),
);
await rate(`durable updates, ${CONCURRENCY} in flight`, CONCURRENCY, (i) =>
  People.updateOne({ number: i }, { $inc: { score: 1 } }),
);
await rate('durable updates, one after the other', 1, (i) =>
  People.updateOne({ number: i }, { $inc: { score: 1 } }),
);
await once('full scan with a sort, first 20', 20, () =>
  People.find({ 'place.state': 'NJ' }).sort({ score: -1 }).limit(20).lean(),
);
if (child) console.log(`memory in the end ${memory(child)} MB`);
await connection.close();
if (child) await stopChild(child);
rmSync(directory, { recursive: true });
