import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// `--import` loads it first, to register itself; Node then loads it again in the thread of the loader hooks.
if (isMainThread) register(import.meta.url);

/** The variable with the project's configuration, as JSON. */
const config = JSON.parse(process.env.WAYQUEST_TEST_PROJECT ?? '{"transform":[]}');
const transformed = config.transform.map(([pattern]) => new RegExp(pattern));

async function createTransformer() {
  const { createScriptTransformer } = await import('@jest/transform');
  return createScriptTransformer(config);
}
const transformer = isMainThread ? undefined : await createTransformer();

/** Loads a module by the transform that the project's configuration has for its path. */
export async function load(url, context, nextLoad) {
  const path = url.startsWith('file:') ? fileURLToPath(url) : '';
  if (!transformed.some((pattern) => pattern.test(path)) || !transformer.shouldTransform(path))
    return nextLoad(url, context);
  const { code } = await transformer.transformAsync(path, {
    ...{ supportsStaticESM: true, supportsDynamicImport: true },
    ...{ supportsTopLevelAwait: true, supportsExportNamespaceFrom: true },
  });
  return { format: 'module', source: code, shortCircuit: true };
}
