import type { Message } from '@wayquest/contracts';

/** Counts what becomes of messages. */
export interface Tally {
  sending(clientId: string): void;
  live(message: Message): void;
  recovered(): void;
  /** Came live to a tab that held it already. */
  again(): void;
  dropped(): void;
  figures(): { live: number; recovered: number; again: number; dropped: number; p50: number; p99: number };
}

export function createTally(): Tally {
  const sentAt = new Map<string, number>();
  const latencies: number[] = [];
  let recovered = 0;
  let again = 0;
  let dropped = 0;
  return {
    sending(clientId) {
      if (!sentAt.has(clientId)) sentAt.set(clientId, performance.now());
    },
    live({ clientId }) {
      latencies.push(performance.now() - (sentAt.get(clientId ?? '') ?? Number.NaN));
    },
    recovered() {
      recovered++;
    },
    again() {
      again++;
    },
    dropped() {
      dropped++;
    },
    figures() {
      const sorted = latencies.toSorted((a, b) => a - b);
      const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
      return { live: latencies.length, recovered, again, dropped, p50: quantile(0.5), p99: quantile(0.99) };
    },
  };
}
