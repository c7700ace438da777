import { z } from 'zod';

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
