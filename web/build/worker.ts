import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Manifest, type Plugin } from 'vite';

/** Returns the keys of a chunk and of its static imports, also indirect ones. */
export function chunksOf(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const imported of manifest[key]?.imports ?? []) chunksOf(manifest, imported, found);
  return found;
}

/** The entries of every page, and of the page that is shown offline. */
const entries = ['index.html', 'src/app/offline.tsx', 'src/shared/lib/client.ts'];

/** Files outside of the assets that pages request. */
const files = ['/before-paint.js', '/favicon.svg', '/icons/icon-192.png', '/icons/badge-96.png'];

/** The part of the font that every page needs. */
const isFont = (file: string) => /-latin-wght-normal.*\.woff2$/.test(file);

/**
 * Bundles the service worker as `/sw.js`. It contains the list of the build's files and a version derived from them, so that
 * browsers install a new worker after each build that changed something.
 */
export function worker(): Plugin {
  return {
    name: 'wayquest:worker',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    closeBundle: {
      sequential: true,
      order: 'post',
      async handler() {
        const root = join(import.meta.dirname, '..');
        const dist = join(root, 'dist');
        const manifestJson = await readFile(join(dist, '.vite/manifest.json'), 'utf8');
        const manifest: Manifest = JSON.parse(manifestJson);
        const assets = entries.flatMap((entry) =>
          [...chunksOf(manifest, entry)].flatMap((key) => {
            const chunk = manifest[key];
            if (!chunk) throw new Error(`${key} is not in the build's manifest`);
            return [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? []).filter(isFont)];
          }),
        );
        const version = createHash('sha256')
          .update(manifestJson)
          .update(await readFile(join(dist, 'index.html')))
          .digest('hex')
          .slice(0, 12);
        const built = { version, files: [...new Set(assets.map((file) => `/${file}`)), ...files] };
        await build({
          root,
          configFile: false,
          logLevel: 'error',
          publicDir: false,
          define: { BUILD: JSON.stringify(built) },
          build: {
            emptyOutDir: false,
            rolldownOptions: {
              input: join(root, 'src/worker/worker.ts'),
              output: { format: 'iife', entryFileNames: 'sw.js' },
            },
          },
        });
      },
    },
  };
}
