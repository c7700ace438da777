import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Manifest, type Plugin } from 'vite';

/** Returns a chunk and all that it imports, also indirectly. */
export function partsOf(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const imported of manifest[key]?.imports ?? []) partsOf(manifest, imported, found);
  return found;
}

/** The entries of every page, and of those without a network. */
const entries = ['index.html', 'src/app/offline.tsx', 'src/shared/lib/client.ts'];

/** Files beside the assets, under the paths that pages ask for. */
const files = ['/before-paint.js', '/favicon.svg', '/icons/icon-192.png', '/icons/badge-96.png'];

/** Of the font, what every page asks for. */
const isFont = (file: string) => /-latin-wght-normal.*\.woff2$/.test(file);

/**
 * Bundles the service worker as a file of its own, `/sw.js`, that knows what this build is made of: another build is
 * another worker.
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
        const listed = await readFile(join(dist, '.vite/manifest.json'), 'utf8');
        const manifest: Manifest = JSON.parse(listed);
        const assets = entries.flatMap((entry) =>
          [...partsOf(manifest, entry)].flatMap((key) => {
            const part = manifest[key];
            if (!part) throw new Error(`${key} is not in the build's manifest`);
            return [part.file, ...(part.css ?? []), ...(part.assets ?? []).filter(isFont)];
          }),
        );
        const version = createHash('sha256')
          .update(listed)
          .update(await readFile(join(dist, 'index.html')))
          .digest('hex')
          .slice(0, 12);
        const known = { version, files: [...new Set(assets.map((file) => `/${file}`)), ...files] };
        await build({
          root,
          configFile: false,
          logLevel: 'error',
          publicDir: false,
          define: { BUILD: JSON.stringify(known) },
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
