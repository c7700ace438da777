import type { Client } from '@wayquest/contracts';

/** Calls of other people: durations in milliseconds, and how many were rejected or failed. */
export interface Felt {
  p50: number;
  p95: number;
  refused: number;
  calls: number;
}

const everyMs = 200;

/** Typical calls of somebody who browses. */
const usual = [
  (client: Client) => client.listChallenges({ query: { scope: 'all', limit: '50' } }),
  (client: Client) => client.getMe(),
  (client: Client) => client.getLeaderboard(),
  (client: Client) => client.listLines(),
  (client: Client) => client.searchPlaces({ query: { text: 'Queens' } }),
];

/** Makes calls as another person for some seconds. */
export async function probe(client: Client, seconds: number): Promise<Felt> {
  const times: number[] = [];
  const underWay: Promise<void>[] = [];
  let refused = 0;
  const look = async (turn: number) => {
    const began = performance.now();
    try {
      await usual[turn % usual.length]?.(client);
    } catch {
      // A failure counts, whatever its reason.
      refused += 1;
    }
    times.push(performance.now() - began);
  };
  const turns = (seconds * 1_000) / everyMs;
  for (let turn = 0; turn < turns; turn += 1) {
    underWay.push(look(turn));
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  await Promise.all(underWay);
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { p50: quantile(0.5), p95: quantile(0.95), refused, calls: times.length };
}
