import { settingsOrExit } from '@wayquest/platform/process';
import { wholeNumber } from '@wayquest/platform/settings';
import { findBackingService, startBackingService } from '@wayquest/testing/backing-services';
import { z } from 'zod';

const positiveInteger = (defaultValue: number) => wholeNumber({ min: 1_000 }).default(defaultValue);

/** Sizes and targets of the measurements. */
export const settings = settingsOrExit(
  z.object({
    FEW: positiveInteger(1_000),
    MANY: positiveInteger(100_000),
    /** Tabs of each of the 200 people in a chat. */
    TABS: wholeNumber({ min: 1 }).default(2),
    /** Sockets that reconnect at the same time. */
    SOCKETS: wholeNumber({ min: 1 }).default(5_000),
    ROUNDS: wholeNumber({ min: 1 }).default(60),
    STORE: z.enum(['mongodb', 'embedded-store']).optional(),
  }),
);

export const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Starts MongoDB, or the embedded store if that was requested or MongoDB is unavailable. */
export async function startStore() {
  for (const kind of ['mongodb', 'embedded-store'] as const) {
    if (settings.STORE && settings.STORE !== kind) continue;
    for (const way of await findBackingService(kind)) {
      const store = await startBackingService(kind, [way], printLine);
      if (store) {
        printLine(`store: ${kind}, ${way.description}`);
        return store;
      }
    }
  }
  throw new Error('there is no store here');
}

/** Durations of a repeated request in milliseconds, and the number of items in the response. */
export interface Figures {
  items: number;
  median: number;
  p95: number;
}

/** A list, or a page of the leaderboard. */
const List = z.union([z.array(z.unknown()), z.object({ rows: z.array(z.unknown()) })]);

export const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

async function request(
  address: string,
  headers: Record<string, string>,
): Promise<{ ms: number; items: number }> {
  const start = performance.now();
  const response = await fetch(address, { headers });
  const text = await response.text();
  const ms = performance.now() - start;
  if (!response.ok) throw new Error(`${address} responded ${text}`);
  const list = List.parse(JSON.parse(text));
  return { ms, items: 'rows' in list ? list.rows.length : list.length };
}

/** Requests the URLs alternately, so that other load affects all of them equally. */
export async function measure(
  addresses: string[],
  rounds: number,
  headers: Record<string, string> = {},
): Promise<Figures[]> {
  const results = addresses.map((address) => ({ address, times: [] as number[], items: 0 }));
  const warmUp = 5;
  for (let round = -warmUp; round < rounds; round++) {
    for (const one of results) {
      const { ms, items } = await request(one.address, headers);
      one.items = items;
      if (round >= 0) one.times.push(ms);
    }
  }
  return results.map(({ times, items }) => {
    const sorted = times.toSorted((a, b) => a - b);
    const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
    return { items, median: quantile(0.5), p95: quantile(0.95) };
  });
}
