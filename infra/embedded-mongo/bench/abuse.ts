import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild, stopChild } from './child.ts';
import { runConnections, runFullDisk, runGarbage } from './hostile.ts';

const inputs = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const directory = mkdtempSync(join(tmpdir(), 'embedded-mongo-abuse-'));
let failed = false;
const report = (isRight: boolean, text: string) => {
  console.log(`${isRight ? 'right' : 'WRONG'}  ${text}`);
  failed ||= !isRight;
};

const child = await startChild(join(directory, 'garbage'));
const { lost } = await runGarbage(child.url, inputs, seed);
report(
  child.process.exitCode === null && lost === 0,
  `${inputs} malformed messages (seed ${seed}): still running, ${lost} writes lost`,
);
const served = await runConnections(child.url, 1000);
report(served === 1000, `1000 concurrent connections: ${served} served`);
await stopChild(child);

const { before, during, after } = await runFullDisk(join(directory, 'full'));
const isOutOfSpace = (code: unknown) => code === 14031;
const isKept = during.stored.join() === before.stored.join() && after.stored.length === 80;
report(
  before.stored.length === 40 && during.rejections.filter(isOutOfSpace).length === 40 && isKept,
  `a full disk: ${during.rejections.length} writes rejected, ${during.stored.length} of ${before.stored.length} still stored`,
);
rmSync(directory, { recursive: true });
process.exitCode = failed ? 1 : 0;
