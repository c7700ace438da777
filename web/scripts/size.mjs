// Prints how much JavaScript the first load of /home brings, and fails above the budget.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const budget = 150_000;
const dist = join(import.meta.dirname, '../dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));

const page = ['index.html', 'src/features/home/routes/Home.tsx'];
const visits = [
  // Nobody has the page in the cache, and nobody is logged in.
  { name: 'a first visit', entries: page, budgeted: 'gz' },
  // A member's page also asks who they are: the client with its schemas.
  { name: 'a member', entries: [...page, 'src/shared/lib/client.ts'], budgeted: 'br' },
];

/** A chunk's file and those of all that it imports at once. */
function filesOf(key, found = new Set()) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the build's manifest.`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const imported of chunk.imports ?? []) filesOf(imported, found);
  return found;
}

const weigh = (files, ending) =>
  [...files].reduce((sum, file) => sum + statSync(join(dist, `${file}.${ending}`)).size, 0);
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

for (const { name, entries, budgeted } of visits) {
  const files = new Set(['before-paint.js', ...entries.flatMap((entry) => [...filesOf(entry)])]);
  const weights = { gz: weigh(files, 'gz'), br: weigh(files, 'br') };
  console.log(`/home, ${name}: ${kB(weights.gz)} gzip, ${kB(weights.br)} brotli, ${files.size} files`);
  if (weights[budgeted] > budget) {
    console.error(`That is above the budget of ${kB(budget)} (${budgeted}).`);
    process.exitCode = 1;
  }
}
