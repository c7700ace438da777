import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild, stopChild } from './child.ts';
import { runConnections, runFullDisk, runGarbage } from './hostile.ts';

const inputs = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const directory = mkdtempSync(join(tmpdir(), 'embedded-mongo-abuse-'));
let failed = false;
const say = (right: boolean, text: string) => {
  console.log(`${right ? 'right' : 'WRONG'}  ${text}`);
  failed ||= !right;
};

const child = await startChild(join(directory, 'garbage'));
const { lost } = await runGarbage(child.url, inputs, seed);
say(
  child.process.exitCode === null && lost === 0,
  `${inputs} inputs of garbage (seed ${seed}): still up, ${lost} writes lost`,
);
const served = await runConnections(child.url, 1000);
say(served === 1000, `1000 connections at once: ${served} served`);
await stopChild(child);

const { before, during, after } = await runFullDisk(join(directory, 'full'));
const isOutOfSpace = (code: unknown) => code === 14031;
const kept = during.stored.join() === before.stored.join() && after.stored.length === 80;
say(
  before.stored.length === 40 && during.refusals.filter(isOutOfSpace).length === 40 && kept,
  `a full disk: ${during.refusals.length} writes refused, ${during.stored.length} of ${before.stored.length} there`,
);
rmSync(directory, { recursive: true });
process.exitCode = failed ? 1 : 0;
