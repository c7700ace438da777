import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import globalSetup from '../../testing/src/jest/global-setup.mts';
import globalTeardown from '../../testing/src/jest/global-teardown.mts';
import targets from '../targets.json' with { type: 'json' };
import { type Mutant, mutate } from './mutate.ts';
import { openSuites } from './suites.ts';

const root = resolve(import.meta.dirname, '../../..');

/** A package with all its mutants, and the suites that have to notice them. */
interface Package {
  name: string;
  suites: string[];
  mutants: Mutant[];
  /** By path. */
  mutated: Record<string, string>;
  /** Hash of each file with its suites: results are valid as long as it is unchanged. */
  hashes: Map<string, string>;
}

const hashOf = (...texts: string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);

/** Tests the replay of replicas with all services together. */
const rebuild = join(root, 'infra/testing/test/rebuild.test.ts');

const packageOf = (file: string): string => file.slice(0, file.indexOf('/src/'));

/** Returns the packages of these files. */
async function readPackages(files: string[]): Promise<Package[]> {
  const packages: Package[] = [];
  for (const name of new Set(files.map(packageOf))) {
    const own = (await readdir(join(root, name, 'test')))
      .sort()
      .map((test) => join(root, name, 'test', test));
    const tests = name.startsWith('services/shared/') ? own : [...own, rebuild];
    const texts = await Promise.all(tests.map((test) => readFile(test, 'utf8')));
    const one: Package = {
      name,
      suites: tests.filter((test) => test.endsWith('.test.ts')),
      mutants: [],
      mutated: {},
      hashes: new Map(),
    };
    for (const file of files.filter((file) => packageOf(file) === name)) {
      const source = await readFile(join(root, file), 'utf8');
      const { code, mutants } = mutate(file, source, one.mutants.length);
      one.mutants.push(...mutants);
      one.mutated[join(root, file)] = code;
      one.hashes.set(file, hashOf(source, ...texts));
    }
    packages.push(one);
  }
  return packages;
}

/** Whether a mutant is in the sample: the same ones for the same seed, even if a file changes elsewhere. */
const isSampled = ({ file, from, to, line }: Mutant, seed: string, share: number): boolean =>
  Number.parseInt(hashOf(seed, file, String(line), from, to).slice(0, 8), 16) / 2 ** 32 < share;

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
const nameOf = ({ line, from, to, nth }: Mutant) => `${line} ${from} → ${to}${nth ? ` (${nth + 1})` : ''}`;

const printLine = (sentence: string) => process.stdout.write(`${sentence}\n`);
const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 90);
const change = ({ from, to }: Mutant) => `${oneLine(from)}  →  ${to ? oneLine(to) : '(left out)'}`;

/** A suite that takes longer than this with a mutant counts as having killed it. */
const limitFor = (usualMs: number) => 3 * usualMs + 15_000;

/** A suite without a mutant: how long it takes, in milliseconds, and the mutants whose code it reaches. */
interface Baseline {
  suite: string;
  ms: number;
  covered: Set<number>;
}

/** Suites of the integration run, which take minutes. */
const isIntegration = (suite: string): boolean => suite.endsWith('.integration.test.ts');

async function tryMutants(
  one: Package,
  drawn: Mutant[],
  found: (mutant: Mutant, by: string | null) => Promise<void>,
) {
  const suites = await openSuites(one.mutated);
  /** Runs suites without a mutant; the fastest first. */
  const measure = async (all: string[]): Promise<Baseline[]> => {
    const measured: Baseline[] = [];
    for (const suite of all) {
      const start = performance.now();
      const { failed, covered } = await suites.run({ suite }, 600_000);
      if (failed) throw new Error(`${suite} fails without any fault: ${failed}`);
      measured.push({ suite, ms: performance.now() - start, covered: new Set(covered) });
    }
    return measured.sort((a, b) => a.ms - b.ms);
  };
  try {
    const baseline = await measure(one.suites.filter((suite) => !isIntegration(suite)));
    const isReached = ({ id }: Mutant) => baseline.some(({ covered }) => covered.has(id));
    const integration = drawn.every(isReached) ? [] : await measure(one.suites.filter(isIntegration));
    for (const mutant of drawn) {
      let by: string | null = null;
      for (const { suite, ms, covered } of isReached(mutant) ? baseline : integration) {
        if (by !== null || !covered.has(mutant.id)) continue;
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
const samples = values.seed.split(',').map((seed) => ({ seed, all: 0, killed: 0, accepted: 0 }));
await globalSetup();
try {
  for (const one of await readPackages(files)) {
    const samplesOf = (mutant: Mutant) =>
      samples.filter(({ seed }) => isSampled(mutant, seed, Number(values.share)));
    const drawn = one.mutants.filter((mutant) => samplesOf(mutant).length);
    const knownOf = ({ file }: Mutant) => (known[one.hashes.get(file) ?? ''] ??= {});
    const fresh = drawn.filter((mutant) => !(nameOf(mutant) in knownOf(mutant)));
    printLine(`${one.name}: ${drawn.length} of ${one.mutants.length} mutants, ${fresh.length} not tried yet`);
    if (fresh.length)
      await tryMutants(one, fresh, async (mutant, by) => {
        knownOf(mutant)[nameOf(mutant)] = by;
        await writeFile(cachePath, JSON.stringify(known));
      });
    for (const file of new Set(drawn.map((mutant) => mutant.file))) {
      const own = drawn.filter((mutant) => mutant.file === file);
      const survivors = own.filter((mutant) => knownOf(mutant)[nameOf(mutant)] === null);
      printLine(`  ${file}: ${own.length - survivors.length} of ${own.length} killed`);
      for (const mutant of own) {
        const survives = survivors.includes(mutant);
        const reason = reasonFor(mutant);
        for (const sample of samplesOf(mutant)) {
          sample.all += 1;
          if (!survives) sample.killed += 1;
          else if (reason) sample.accepted += 1;
        }
        if (survives)
          printLine(`    ${file}:${mutant.line}  ${change(mutant)}${reason ? `  (${reason})` : ''}`);
      }
    }
  }
} finally {
  await globalTeardown();
}
for (const { seed, all, killed, accepted } of samples) {
  const score = (100 * killed) / Math.max(1, all - accepted);
  printLine(
    `Seed ${seed}: ${killed} of ${all} mutants killed, ${accepted} of the others accepted: ${score.toFixed(1)} % of the rest`,
  );
  if (score < Number(values['min-score'])) process.exitCode = 1;
}
printLine(`It took ${((performance.now() - start) / 60_000).toFixed(1)} minutes`);
