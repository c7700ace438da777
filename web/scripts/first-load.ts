// Measures the first load of every page on a slow phone in a slow network: `make bench-first-load`.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newUser, openChromium, startNetwork, type TestBrowser } from '@wayquest/testing';
import {
  type BackingKind,
  findBackingService,
  startBackingService,
} from '@wayquest/testing/backing-services';
import type { Page } from 'playwright-core';
import { desktop, pathOf, phone, waitUntilLoaded } from '../test/screens/fixture.ts';
import { initialState, type Screen, screens } from '../test/screens/matrix.ts';
import { seedNetwork } from '../test/screens/seed.ts';

declare global {
  interface Window {
    firstLoad: { lcp: number; what: string; longest: number };
  }
}

/** The measurements of a load: milliseconds, layout shift as a share of the window, bytes of JavaScript. */
interface Load {
  lcp: number;
  cls: number;
  longest: number;
  script: number;
  what: string;
}

const targets: Record<'lcp' | 'cls' | 'longest', number> = { lcp: 1_800, cls: 0.02, longest: 200 };
const slow = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000, offline: false };
const slowCpu = { rate: 4 };
/** How long to wait for late layout shifts, in milliseconds. */
const settleMs = 500;

/** How long an action may take on a busy machine, in milliseconds. */
const timeoutMs = 60_000;

const rounds = Number(process.env.ROUNDS ?? 3);
const only = process.env.ROUTES?.split(',');
const dist = fileURLToPath(new URL('../dist', import.meta.url));

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

async function startDependency(kind: BackingKind) {
  const service = await startBackingService(kind, await findBackingService(kind), say);
  if (!service) throw new Error(`there is no ${kind} here`);
  return service;
}

/** Runs in the page, so it uses no imports. */
function watch() {
  window.firstLoad = { lcp: 0, what: '', longest: 0 };
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const element = 'element' in entry && entry.element instanceof Element ? entry.element : null;
      const what = `${element?.tagName.toLowerCase()} ${element?.textContent?.trim().slice(0, 24) ?? ''}`;
      window.firstLoad = { ...window.firstLoad, lcp: entry.startTime, what };
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      window.firstLoad.longest = Math.max(window.firstLoad.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ('value' in entry && typeof entry.value === 'number')
        window.shifts.push({ value: entry.value, what: '' });
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Returns a function that sums up the gzipped sizes of the scripts that a page has requested. */
function weighScripts(page: Page): () => number {
  const files = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) files.add(pathname);
  });
  return () => [...files].reduce((sum, file) => sum + statSync(join(dist, `${file}.gz`)).size, 0);
}

/** Opens a page with an empty cache, and measures its load. */
async function load(
  browser: TestBrowser,
  path: string,
  viewport: typeof phone,
  token?: string,
): Promise<Load> {
  const { page } = await browser.visitor({ viewport });
  const context = page.context();
  context.setDefaultTimeout(timeoutMs);
  if (token) await context.addInitScript((value) => localStorage.setItem('token', value), token);
  await context.addInitScript(watch);
  await context.route(/^https:\/\//, (route) => route.fulfill({ status: 204 }));
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slow);
  await session.send('Emulation.setCPUThrottlingRate', slowCpu);
  const weight = weighScripts(page);
  await page.goto(path);
  await waitUntilLoaded(page);
  await page.waitForTimeout(settleMs);
  const { lcp, what, longest } = await page.evaluate(() => window.firstLoad);
  const shifts = await page.evaluate(() => window.shifts);
  const cls = shifts.reduce((sum, { value }) => sum + value, 0);
  await context.close();
  return { lcp, what, longest, cls, script: weight() };
}

const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const columns = [26, 9, 7, 9, 8, 9, 10];
const row = (...cells: string[]) =>
  say(
    cells.map((cell, i) => (i < 3 ? cell.padEnd(columns[i] ?? 0) : cell.padStart(columns[i] ?? 0))).join(''),
  );

const store = await startDependency('embedded-store');
const chromium = await startDependency('chromium');
const network = await startNetwork({
  webDirectory: dist,
  mongo: store.address,
  places: { preload: true },
});
const seed = await seedNetwork(network);
const tokens: Partial<Record<Screen['role'], string>> = {
  newcomer: (await newUser(network, 'newcomer')).token,
  regular: seed.regular.token,
};
const browser = await openChromium(chromium.address, network.url);

say(`\nmedians of ${rounds}: milliseconds, share of the window, milliseconds, kB with gzip`);
row('', 'role', 'window', 'LCP', 'CLS', 'longest', 'script', '  LCP element');
const failures: string[] = [];
/** The worst values of each route, for `make bench`. */
const figures: Record<string, number> = {};
for (const screen of screens) {
  const { route, state, dataSet, role } = screen;
  if (state !== initialState || dataSet !== 'full' || role === 'newcomer') continue;
  if (only && !only.includes(route)) continue;
  for (const [name, viewport] of Object.entries({ phone, desktop })) {
    const loads: Load[] = [];
    for (let round = 0; round < rounds; round++)
      loads.push(await load(browser, pathOf(screen, seed), viewport, tokens[role]));
    const medianOf = (part: 'lcp' | 'cls' | 'longest' | 'script') => median(loads.map((one) => one[part]));
    const [lcp, cls, longest] = [medianOf('lcp'), medianOf('cls'), medianOf('longest')];
    row(
      ...[route, role, name.slice(0, 5), lcp.toFixed(0), cls.toFixed(3), longest.toFixed(0)],
      (medianOf('script') / 1_000).toFixed(1),
      `  ${loads[0]?.what}`,
    );
    for (const [part, value] of Object.entries({ lcp, cls, longest }))
      figures[`${part} ${route}`] = Math.max(value, figures[`${part} ${route}`] ?? 0);
    if (lcp > targets.lcp || cls > targets.cls || longest > targets.longest)
      failures.push(`${route} as ${role}, ${name}`);
  }
}
say(
  `\ntargets missed (LCP ${targets.lcp} ms, CLS ${targets.cls}, tasks ${targets.longest} ms): ${failures.join('; ') || 'none'}`,
);
process.send?.({ figures });
await browser.close();
await network.stop();
await store.stop();
process.exit(0);
