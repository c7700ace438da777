import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from '@swc/core';

// `--import` loads it first, to register itself; Node then loads it again in the thread of the loader hooks.
if (isMainThread) register(import.meta.url);

/** Sources with mutants, by path. */
const mutated = JSON.parse(readFileSync(process.env.WAYQUEST_MUTATED ?? '', 'utf8'));

/** Loads a TypeScript module without its types, and with its mutants if it has any. */
export async function load(url, context, nextLoad) {
  const [address] = url.split('?');
  if (!address.startsWith('file:') || !address.endsWith('.ts')) return nextLoad(url, context);
  const path = fileURLToPath(address);
  const { code } = await transform(mutated[path] ?? (await readFile(path, 'utf8')), {
    // Node rejects JSON modules whose import has no attribute.
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022', experimental: { keepImportAssertions: true } },
    module: { type: 'es6' },
  });
  return { format: 'module', source: code, shortCircuit: true };
}
