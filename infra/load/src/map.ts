import { type Figures, measure } from './measure.ts';
import { measurePanning } from './panning.ts';
import { questions } from './questions.ts';
import { say, settings } from './settings.ts';
import { startStore } from './store.ts';
import { startWayquest } from './wayquest.ts';

/** The maximum ratio of the durations with many and with few challenges in the store. */
const bound = 1.5;

const { FEW, MANY, ROUNDS } = settings;
const store = await startStore();
const few = await startWayquest(store.address, FEW);
const many = await startWayquest(store.address, MANY);

const columns = [44, 10, 16, 16, 10, 10];
const row = (...cells: string[]) =>
  say(cells.map((cell, i) => (i ? cell.padStart(columns[i] ?? 0) : cell.padEnd(columns[0] ?? 0))).join(''));
const times = ({ median, p95 }: Figures) => `${median.toFixed(1)} / ${p95.toFixed(1)}`;

say(`\nmilliseconds through the gateway, median / p95 of ${ROUNDS} rounds, asked in turn`);
row('', 'answered', `${FEW}`, `${MANY}`, 'ratio', 'of p95');
const slower: string[] = [];
const figures: Record<string, number> = {};
for (const [what, path] of questions) {
  const [first, second] = await measure([few.url + path, many.url + path], ROUNDS);
  if (!first || !second) throw new Error('nothing was measured');
  const ratio = second.median / first.median;
  figures[what] = ratio;
  figures[`${what}, ms`] = second.median;
  if (ratio > bound) slower.push(what);
  const answered = `${first.answered}, ${second.answered}`;
  row(what, answered, times(first), times(second), ratio.toFixed(2), (second.p95 / first.p95).toFixed(2));
}
say(`\nabove ${bound}: ${slower.join('; ') || 'none'}`);
process.send?.({ figures });

for (const [name, { url }] of [
  [FEW, few],
  [MANY, many],
] as const) {
  const tasks = await measurePanning(url);
  if (tasks)
    say(`panning among ${name}: ${tasks.length} tasks above 50 ms, the longest ${Math.max(0, ...tasks)} ms`);
}

await many.stop();
await few.stop();
await store.stop();
process.exit(0);
