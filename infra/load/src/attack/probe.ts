import type { Client } from '@wayquest/contracts';

/** What other people felt: how long their calls took, in milliseconds, and how many were refused or failed. */
export interface Felt {
  p50: number;
  p95: number;
  refused: number;
  calls: number;
}

const everyMs = 200;

/** What somebody does who looks around. */
const usual = [
  (client: Client) => client.listChallenges({ query: { scope: 'all', limit: '50' } }),
  (client: Client) => client.getMe(),
  (client: Client) => client.getLeaderboard(),
  (client: Client) => client.listLines(),
  (client: Client) => client.searchPlaces({ query: { text: 'Queens' } }),
];

/** Looks around in other people's stead for so long, whatever else goes on. */
export async function probe(client: Client, seconds: number): Promise<Felt> {
  const times: number[] = [];
  const underWay: Promise<void>[] = [];
  let refused = 0;
  const look = async (turn: number) => {
    const began = performance.now();
    try {
      await usual[turn % usual.length]?.(client);
    } catch {
      // Whatever it was, they got no answer.
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
