import type { Client } from '@wayquest/contracts';

/** Calls of another user: durations in milliseconds, and the number of rejected or failed calls. */
export interface CallTimes {
  p50: number;
  p95: number;
  rejected: number;
  calls: number;
}

const everyMs = 200;

/** Typical calls of a user who browses. */
const typicalCalls = [
  (client: Client) => client.listChallenges({ query: { scope: 'all', limit: '50' } }),
  (client: Client) => client.getMe(),
  (client: Client) => client.getLeaderboard(),
  (client: Client) => client.listParticipations(),
  (client: Client) => client.searchPlaces({ query: { text: 'Queens' } }),
];

/** Makes calls as another user for some seconds. */
export async function probe(client: Client, seconds: number): Promise<CallTimes> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  let rejected = 0;
  const measureCall = async (turn: number) => {
    const began = performance.now();
    try {
      await typicalCalls[turn % typicalCalls.length]?.(client);
    } catch {
      // A failure counts, whatever its reason.
      rejected += 1;
    }
    times.push(performance.now() - began);
  };
  const turns = (seconds * 1_000) / everyMs;
  for (let turn = 0; turn < turns; turn += 1) {
    pending.push(measureCall(turn));
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  await Promise.all(pending);
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { p50: quantile(0.5), p95: quantile(0.95), rejected, calls: times.length };
}
