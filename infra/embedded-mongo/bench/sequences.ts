import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@wayquest/embedded-mongo';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { findDifference, sequence } from '../test/sequences.ts';

const numRuns = Number(process.argv[2] ?? 10_000);
const directory = mkdtempSync(join(tmpdir(), 'embedded-mongo-sequences-'));
const server = await startEmbeddedMongo({ directory });

/** Runs random sequences on a server, each with its own collection; returns whether all match the model. */
async function check(name: string, url: string, runs: number): Promise<boolean> {
  const client = await MongoClient.connect(url);
  const db = client.db('sequences');
  await db.dropDatabase();
  let count = 0;
  const property = fc.asyncProperty(sequence, async (steps) => {
    const difference = await findDifference(db, `c${count++}`, steps);
    if (difference) throw new Error(difference);
  });
  const started = Date.now();
  const result = await fc.check(property, { numRuns: runs });
  await client.close();
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  console.log(
    `${name}: ${result.numRuns} sequences, ${result.failed ? 'DIFFERENT' : 'all match the model'}, ${seconds} s, seed ${result.seed}`,
  );
  if (result.failed) console.log(result.errorInstance, fc.stringify(result.counterexample));
  return !result.failed;
}

const ours = await check('embedded', server.url, numRuns);
const url = process.env.MONGO_URL;
const theirs = url ? await check('MongoDB at MONGO_URL', url, Number(process.argv[3] ?? numRuns)) : true;
if (!url) console.log('MongoDB: skipped, since MONGO_URL is not set');
await server.stop();
rmSync(directory, { recursive: true });
process.exitCode = ours && theirs ? 0 : 1;
