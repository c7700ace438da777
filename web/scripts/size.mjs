// Prints how much JavaScript a browser loads for some pages, and fails if one exceeds its budget.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const dist = join(import.meta.dirname, '../dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));

const home = ['index.html', 'src/features/home/routes/Home.tsx'];
const client = 'src/shared/lib/client.ts';
const map = [
  'src/features/explore/routes/Explore.tsx',
  'src/features/explore/open-map/OpenMap.tsx',
  'src/app/page-sagas.ts',
];
/** Budgets in bytes with gzip: slightly above the last result. Lower them when a page becomes smaller. */
const visits = [
  { name: '/home, a visitor', budget: 145_000, entries: home },
  {
    name: '/home, a member',
    budget: 174_300,
    entries: [...home, client, 'src/app/layout/UserMenu.tsx', 'src/app/member-sagas.ts'],
  },
  {
    name: '… once it has nothing else to do: the socket',
    budget: 14_700,
    entries: ['src/entities/realtime/socket.ts'],
    without: home,
  },
  {
    name: '/explore, beside the first page',
    budget: 133_600,
    entries: [...map, client],
    without: home,
    workers: /^base-map\.worker/,
  },
];

/** Returns the files of a chunk and of its static imports, also indirect ones. */
function filesOf(key, found = new Set()) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the build's manifest.`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const imported of chunk.imports ?? []) filesOf(imported, found);
  return found;
}

const filesOfAll = (keys) => new Set(keys.flatMap((key) => [...filesOf(key)]));
const assets = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'));
const weigh = (files, ending) =>
  files.reduce((sum, file) => sum + statSync(join(dist, `${file}.${ending}`)).size, 0);
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

for (const { name, budget, entries, without = [], workers } of visits) {
  const known = filesOfAll(without);
  const files = [...filesOfAll(entries)].filter((file) => !known.has(file));
  if (!without.length) files.push('before-paint.js');
  if (workers) files.push(...assets.filter((file) => workers.test(file)).map((file) => `assets/${file}`));
  const bytes = weigh(files, 'gz');
  console.log(`${name}: ${kB(bytes)} gzip, ${kB(weigh(files, 'br'))} brotli, ${files.length} files`);
  process.send?.({ figures: { [name]: bytes / 1000 } });
  if (bytes <= budget) continue;
  console.error(`That is above the budget of ${kB(budget)}.`);
  process.exitCode = 1;
}
