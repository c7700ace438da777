import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Manifest, type Plugin } from 'vite';
import { afterBuild } from './after-build.ts';

/** Returns the keys of a chunk and of its static imports, also indirect ones. */
export function chunksOf(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const imported of manifest[key]?.imports ?? []) chunksOf(manifest, imported, found);
  return found;
}

/** The entries of every page, and of the page that is shown offline. */
const entries = ['index.html', 'src/app/offline.tsx', 'src/shared/lib/client.ts'];

/**
 * The entries of what members do without a network: completing challenges, notes and photos, messages, and the pages that lead there.
 * They are kept for members only. What is loaded when it is needed (a dialog, a saga) cannot be loaded there.
 */
const memberEntries = [
  'src/app/member-sagas.ts',
  'src/app/page-sagas.ts',
  'src/app/layout/UserMenu.tsx',
  'src/app/layout/UnsentBar.tsx',
  'src/app/pages/ChallengesPage.tsx',
  'src/app/pages/ProfilePage.tsx',
  'src/entities/realtime/socket.ts',
  'src/features/challenges/components/Log.tsx',
  'src/features/challenges/routes/ChallengeDetail.tsx',
  'src/features/completion/Completion.tsx',
  'src/features/home/components/MemberBoard.tsx',
  'src/features/home/routes/Home.tsx',
  'src/features/messenger/routes/Messenger.tsx',
];

/** The files of entries and of what they import. */
function filesOf(manifest: Manifest, entries: string[]): string[] {
  const names = entries.flatMap((entry) =>
    [...chunksOf(manifest, entry)].flatMap((key) => {
      const chunk = manifest[key];
      if (!chunk) throw new Error(`${key} is not in the build's manifest`);
      return [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? []).filter(isFont)];
    }),
  );
  return [...new Set(names)].map((name) => `/${name}`);
}

/** Files outside of the assets that pages request. */
const files = ['/before-paint.js', '/favicon.svg', '/icons/icon-192.png', '/icons/badge-96.png'];

/** The part of the font that every page needs. */
const isFont = (file: string) => /-latin-wght-normal.*\.woff2$/.test(file);

/**
 * Bundles the service worker as `/sw.js`. It contains the list of the build's files and a version derived from them, so that
 * browsers install a new worker after each build that changed something.
 */
export function worker(): Plugin {
  return afterBuild('wayquest:worker', async () => {
    const root = join(import.meta.dirname, '..');
    const dist = join(root, 'dist');
    const manifestJson = await readFile(join(dist, '.vite/manifest.json'), 'utf8');
    const manifest: Manifest = JSON.parse(manifestJson);
    const hash = createHash('sha256').update(manifestJson);
    for (const name of ['/index.html', ...files]) hash.update(await readFile(join(dist, name)));
    const version = hash.digest('hex').slice(0, 12);
    const built = {
      version,
      // Placeholders, which the gateway replaces.
      siteName: '__SITE_NAME__',
      logo: '__SITE_LOGO__',
      files: [...filesOf(manifest, entries), ...files],
      memberFiles: filesOf(manifest, memberEntries),
    };
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
  });
}
