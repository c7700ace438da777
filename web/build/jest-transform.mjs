import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import swcJest from '@swc/jest';

/**
 * Replaces Vite's `import.meta.glob` for the texts of a folder's files of one kind, which is all that the web app uses.
 *
 * @param {string} source
 * @param {string} path
 */
const withFolders = (source, path) =>
  source.replace(/import\.meta\.glob<string>\('\.\/(\w+)\/\*(\.\w+)', .*?\)/g, (_, folder, extension) => {
    const names = readdirSync(join(dirname(path), folder)).filter((name) => extname(name) === extension);
    const textOf = (name) => readFileSync(join(dirname(path), folder, name), 'utf8');
    return JSON.stringify(Object.fromEntries(names.map((name) => [`./${folder}/${name}`, textOf(name)])));
  });

/** Jest's transform of the web app's sources: what Vite does with them when it builds them, as far as tests need it. */
export default {
  /** @param {import('@swc/core').Options} options */
  createTransformer(options) {
    const swc = swcJest.createTransformer(options);
    const withCode = (source, path) => {
      // The names of classes are what tests can rely on.
      if (path.endsWith('.css')) return 'export default new Proxy({}, { get: (_, name) => name })';
      if (path.endsWith('.svg')) return `export default ${JSON.stringify(source)}`;
      return withFolders(source, path);
    };
    return {
      process: (source, path, jestOptions) => swc.process(withCode(source, path), path, jestOptions),
      processAsync: (source, path, jestOptions) =>
        swc.processAsync(withCode(source, path), path, jestOptions),
      getCacheKey: (source, path, jestOptions) => swc.getCacheKey(withCode(source, path), path, jestOptions),
    };
  },
};
