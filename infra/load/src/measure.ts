/** How long the answers to one question took, in milliseconds, and how many things were in one. */
export interface Figures {
  answered: number;
  median: number;
  p95: number;
}

async function ask(address: string): Promise<{ ms: number; answered: number }> {
  const asked = performance.now();
  const response = await fetch(address);
  const text = await response.text();
  const ms = performance.now() - asked;
  const things: unknown = JSON.parse(text);
  if (!response.ok || !Array.isArray(things)) throw new Error(`${address} was answered with ${text}`);
  return { ms, answered: things.length };
}

/** Asks each address in turn, round after round, so that whatever else goes on falls on all alike. */
export async function measure(addresses: string[], rounds: number): Promise<Figures[]> {
  const asked = addresses.map((address) => ({ address, times: [] as number[], answered: 0 }));
  const warmUp = 5;
  for (let round = -warmUp; round < rounds; round++) {
    for (const one of asked) {
      const { ms, answered } = await ask(one.address);
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
