import { setTimeout as sleep } from 'node:timers/promises';
import { operations, operationUrl } from '@wayquest/contracts';
import { openChromium } from '@wayquest/testing';
import { findBackingService, startBackingService } from '@wayquest/testing/backing-services';
import type { Page } from 'playwright-core';
import { type Figures, measure, printLine, settings, startStore } from './measure.ts';
import { startWayquest, town, village } from './wayquest.ts';

declare global {
  interface Window {
    longTasks: number[];
  }
}

/** A zoom over the town, at which a view contains more challenges than the map shows individually, and a street-level zoom. */
const zooms = [11, 14];

/** Drags the map to and fro as a person does, and searches each time it is offered. */
async function drag(page: Page) {
  for (let turn = 0; turn < 8; turn++) {
    const offsetX = turn % 2 ? 420 : -420;
    await page.mouse.move(800, 500);
    await page.mouse.down();
    await page.mouse.move(800 + offsetX, 500 + ((turn % 3) - 1) * 120, { steps: 25 });
    await page.mouse.up();
    // Waits for what a drag triggers, which is measured.
    await sleep(600);
    // Not by its role: that would examine every element, within the page.
    const searchButton = page.getByText('Search this area', { exact: true });
    if (await searchButton.count()) await searchButton.click();
    await sleep(600);
  }
}

/**
 * Returns the durations of tasks that blocked the page for more than 50 ms while the map was dragged, in milliseconds
 * (W3C, Long Tasks API). Undefined without Chromium.
 */
async function measurePanning(url: string): Promise<number[] | undefined> {
  const chromium = await startBackingService('chromium', await findBackingService('chromium'), printLine);
  if (!chromium) return undefined;
  const browser = await openChromium(chromium.address, url);
  const { page } = await browser.visitor({ reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration));
    }).observe({ type: 'longtask' });
  });
  const tasks: number[] = [];
  for (const zoom of zooms) {
    await page.goto(`/explore?at=40.73,-73.85&zoom=${zoom}`);
    await page.getByRole('list', { name: 'Challenges on the map' }).waitFor();
    // The start of the page is not measured.
    await sleep(3_000);
    await page.evaluate(() => {
      window.longTasks = [];
    });
    await drag(page);
    tasks.push(...(await page.evaluate(() => window.longTasks)));
  }
  await browser.close();
  return tasks;
}

/** The maximum ratio of the durations with many and with few challenges in the store. */
const bound = 1.5;

const { FEW, MANY, ROUNDS } = settings;

/** The bounding box of a screen of 1280 by 800 pixels around a position, at a zoom. */
function screen({ lat, lng }: { lat: number; lng: number }, zoom: number): string {
  const degreesPerPixel = 360 / (256 * 2 ** zoom);
  const [wide, high] = [640 * degreesPerPixel, 400 * degreesPerPixel * Math.cos((lat * Math.PI) / 180)];
  return [lng - wide, lat - high, lng + wide, lat + high].map((degrees) => degrees.toFixed(6)).join();
}

const list = (query: object) => operationUrl(operations.listChallenges, { query: { ...query } });
const clusters = (query: object) => operationUrl(operations.listChallengeClusters, { query: { ...query } });
const formatPosition = ({ lat, lng }: { lat: number; lng: number }) => `${lat},${lng}`;

const neighborhood = screen(village, 15);
const city = screen(town, 11);
const country = screen({ lat: 39, lng: -98 }, 4);

/** The calls of a map and the list beside it. */
const requests: [name: string, path: string][] = [
  ['all, a page', list({ limit: 24 })],
  ['all, 500', list({})],
  ['neighborhood, list', list({ bbox: neighborhood })],
  ['neighborhood, list, easy', list({ bbox: neighborhood, difficulty: 'easy' })],
  ['neighborhood, clusters', clusters({ bbox: neighborhood, zoom: 15 })],
  ['city, list', list({ bbox: city })],
  ['city, clusters', clusters({ bbox: city, zoom: 11 })],
  ['city, clusters, hard', clusters({ bbox: city, zoom: 11, difficulty: 'hard' })],
  ['city, list, open', list({ bbox: city, open: true })],
  ['city, clusters, open', clusters({ bbox: city, zoom: 11, open: true })],
  ['country, list', list({ bbox: country })],
  ['country, list, easy', list({ bbox: country, difficulty: 'easy' })],
  ['country, clusters', clusters({ bbox: country, zoom: 4 })],
  ['country, clusters, easy', clusters({ bbox: country, zoom: 4, difficulty: 'easy' })],
  ['country, list, rare text', list({ bbox: country, search: 'lighth' })],
  ['country, list, common text', list({ bbox: country, search: 'chall' })],
  ['city, list, common text', list({ bbox: city, search: 'chall' })],
  ['neighborhood, list, rare and common text', list({ bbox: neighborhood, search: 'lighth place' })],
  ['country, clusters, rare text', clusters({ bbox: country, zoom: 4, search: 'lighth' })],
  ['city, list, rare text', list({ bbox: city, search: 'lighth' })],
  ['country, clusters, open', clusters({ bbox: country, zoom: 4, open: true })],
  ['near, all of a village', list({ near: formatPosition(village), radius: 5_000 })],
  ['near, 50 of a city', list({ near: formatPosition(town), radius: 5_000, limit: 50 })],
  [
    'near, 50 of a city, easy',
    list({ near: formatPosition(town), radius: 5_000, limit: 50, difficulty: 'easy' }),
  ],
];

const store = await startStore();
const few = await startWayquest(store.address, FEW);
const many = await startWayquest(store.address, MANY);

const columns = [44, 10, 16, 16, 10, 10];
const row = (...cells: string[]) =>
  printLine(
    cells.map((cell, i) => (i ? cell.padStart(columns[i] ?? 0) : cell.padEnd(columns[0] ?? 0))).join(''),
  );
const times = ({ median, p95 }: Figures) => `${median.toFixed(1)} / ${p95.toFixed(1)}`;

printLine(`\nmilliseconds through the gateway, median / p95 of ${ROUNDS} rounds, requested in turn`);
row('', 'items', `${FEW}`, `${MANY}`, 'ratio', 'of p95');
const regressions: string[] = [];
const figures: Record<string, number> = {};
for (const [name, path] of requests) {
  const [first, second] = await measure([few.url + path, many.url + path], ROUNDS);
  if (!first || !second) throw new Error('nothing was measured');
  const ratio = second.median / first.median;
  figures[name] = ratio;
  figures[`${name}, ms`] = second.median;
  if (ratio > bound) regressions.push(name);
  const items = `${first.items}, ${second.items}`;
  row(name, items, times(first), times(second), ratio.toFixed(2), (second.p95 / first.p95).toFixed(2));
}
printLine(`\nabove ${bound}: ${regressions.join('; ') || 'none'}`);
process.send?.({ figures });

for (const [count, { url }] of [
  [FEW, few],
  [MANY, many],
] as const) {
  const tasks = await measurePanning(url);
  if (tasks)
    printLine(
      `panning among ${count}: ${tasks.length} tasks above 50 ms, the longest ${Math.max(0, ...tasks)} ms`,
    );
}

await many.stop();
await few.stop();
await store.stop();
process.exit(0);
