import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killChild, startChild, stopChild } from './child.ts';
import { fillDisk, idsOf, runConnections, runGarbage } from './hostile.ts';

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

const limited = await startChild(join(directory, 'full'), 2048);
const { acknowledged, codes } = await fillDisk(limited.url);
const before = await idsOf(limited.url);
await killChild(limited);
const roomy = await startChild(join(directory, 'full'));
const after = await idsOf(roomy.url);
await stopChild(roomy);
const same = (ids: number[]) => ids.join() === acknowledged.join();
say(
  acknowledged.length > 0 && codes.size === 1 && same(before) && same(after),
  `a full disk: ${acknowledged.length} acknowledged, then refused with ${[...codes]}; ${after.length} there after a kill`,
);
rmSync(directory, { recursive: true });
process.exitCode = failed ? 1 : 0;
