import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Mutant, mutate } from './mutate.ts';

export const root = resolve(import.meta.dirname, '../../..');

/** A package with all its mutants, and the suites that have to notice them. */
export interface Package {
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
export async function readPackages(files: string[]): Promise<Package[]> {
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
export const isSampled = ({ file, from, to, line }: Mutant, seed: string, share: number): boolean =>
  Number.parseInt(hashOf(seed, file, String(line), from, to).slice(0, 8), 16) / 2 ** 32 < share;
