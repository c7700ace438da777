import { z } from 'zod';

/** Durations of the responses to one request in milliseconds, and the number of items in one. */
export interface Figures {
  answered: number;
  median: number;
  p95: number;
}

/** A list, or a page of the leaderboard. */
const Answer = z.union([z.array(z.unknown()), z.object({ rows: z.array(z.unknown()) })]);

export const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

async function ask(
  address: string,
  headers: Record<string, string>,
): Promise<{ ms: number; answered: number }> {
  const asked = performance.now();
  const response = await fetch(address, { headers });
  const text = await response.text();
  const ms = performance.now() - asked;
  if (!response.ok) throw new Error(`${address} was answered with ${text}`);
  const things = Answer.parse(JSON.parse(text));
  return { ms, answered: 'rows' in things ? things.rows.length : things.length };
}

/** Requests each URL in turn, round after round, so that other load affects all of them equally. */
export async function measure(
  addresses: string[],
  rounds: number,
  headers: Record<string, string> = {},
): Promise<Figures[]> {
  const asked = addresses.map((address) => ({ address, times: [] as number[], answered: 0 }));
  const warmUp = 5;
  for (let round = -warmUp; round < rounds; round++) {
    for (const one of asked) {
      const { ms, answered } = await ask(one.address, headers);
      one.answered = answered;
      if (round >= 0) one.times.push(ms);
    }
  }
  return asked.map(({ times, answered }) => {
    const sorted = times.toSorted((a, b) => a - b);
    const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
    return { answered, median: quantile(0.5), p95: quantile(0.95) };
  });
}
