import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import setup from '../../testing/src/vitest/global-setup.ts';
import targets from '../targets.json' with { type: 'json' };
import type { Mutant } from './mutate.ts';
import { isSampled, type Package, readPackages, root } from './packages.ts';
import { openSuites } from './suites.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    'min-score': { type: 'string', default: '85' },
  },
});

/** Which test killed a mutant; null if it survived. By the hash of its file and suites, then by the mutant. */
type Found = Record<string, Record<string, string | null>>;

/** Why a surviving mutant is acceptable, if somebody has reviewed it. */
const reasonFor = (mutant: Mutant): string | undefined =>
  targets.accepted.find(
    ({ file, line, from, to }) =>
      mutant.file.startsWith(file) && mutant.code.includes(line) && mutant.from === from && mutant.to === to,
  )?.reason;

const cachePath = join(root, 'node_modules/.cache/wayquest-mutants.json');
const readCache = async (): Promise<Found> => JSON.parse(await readFile(cachePath, 'utf8').catch(() => '{}'));
const nameOf = ({ line, from, to }: Mutant) => `${line} ${from} → ${to}`;

const printLine = (sentence: string) => process.stdout.write(`${sentence}\n`);
const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 90);
const change = ({ from, to }: Mutant) => `${oneLine(from)}  →  ${to ? oneLine(to) : '(left out)'}`;

/** A suite that takes longer than this with a mutant counts as having noticed it. */
const limitFor = (usualMs: number) => 3 * usualMs + 15_000;

async function tryMutants(
  one: Package,
  drawn: Mutant[],
  found: (mutant: Mutant, by: string | null) => Promise<void>,
) {
  const suites = await openSuites(one);
  try {
    const usual: { suite: string; ms: number; met: Set<number> }[] = [];
    for (const suite of one.suites) {
      const start = performance.now();
      const { failed, met } = await suites.run({ suite }, 600_000);
      if (failed) throw new Error(`${suite} fails without any fault: ${failed}`);
      usual.push({ suite, ms: performance.now() - start, met: new Set(met) });
    }
    usual.sort((a, b) => a.ms - b.ms);
    for (const mutant of drawn) {
      let by: string | null = null;
      for (const { suite, ms, met } of usual) {
        if (by !== null || !met.has(mutant.id)) continue;
        const { failed } = await suites.run({ suite, mutant: mutant.id }, limitFor(ms));
        if (failed) by = `${basename(suite)}: ${failed}`;
      }
      await found(mutant, by);
    }
  } finally {
    await suites.stop();
  }
}

const start = performance.now();
const known = await readCache();
await mkdir(dirname(cachePath), { recursive: true });
const files = targets.files.filter(
  (file) => positionals.length === 0 || positionals.some((part) => file.includes(part)),
);
let [all, survived, accepted] = [0, 0, 0];
const stopBacking = await setup();
try {
  for (const one of await readPackages(files)) {
    const drawn = one.mutants.filter((mutant) => isSampled(mutant, values.seed, Number(values.share)));
    const knownOf = ({ file }: Mutant) => (known[one.hashes.get(file) ?? ''] ??= {});
    const fresh = drawn.filter((mutant) => !(nameOf(mutant) in knownOf(mutant)));
    printLine(`${one.name}: ${drawn.length} of ${one.mutants.length} faults, ${fresh.length} not tried yet`);
    if (fresh.length)
      await tryMutants(one, fresh, async (mutant, by) => {
        knownOf(mutant)[nameOf(mutant)] = by;
        await writeFile(cachePath, JSON.stringify(known));
      });
    for (const file of new Set(drawn.map((mutant) => mutant.file))) {
      const own = drawn.filter((mutant) => mutant.file === file);
      const survivors = own.filter((mutant) => knownOf(mutant)[nameOf(mutant)] === null);
      all += own.length;
      survived += survivors.length;
      printLine(`  ${file}: ${own.length - survivors.length} of ${own.length} noticed`);
      for (const mutant of survivors) {
        const reason = reasonFor(mutant);
        if (reason) accepted += 1;
        printLine(`    ${file}:${mutant.line}  ${change(mutant)}${reason ? `  (${reason})` : ''}`);
      }
    }
  }
} finally {
  await stopBacking();
}
const noticed = all - survived;
const score = (100 * noticed) / Math.max(1, all - accepted);
const minutes = ((performance.now() - start) / 60_000).toFixed(1);
printLine(`${noticed} of ${all} faults noticed, ${accepted} of the others accepted, in ${minutes} minutes`);
printLine(`Score: ${score.toFixed(1)} % of those that are not accepted`);
process.exitCode = score < Number(values['min-score']) ? 1 : 0;
