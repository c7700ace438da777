import type { Message } from '@wayquest/contracts';

/** Counts the outcomes of messages. */
export interface MessageStats {
  sending(clientId: string): void;
  live(message: Message): void;
  recovered(): void;
  /** A tab received a message that it had already. */
  again(): void;
  dropped(): void;
  /** A disconnected tab has loaded what it missed, after this time. */
  caughtUp(ms: number): void;
  figures(): Record<'live' | 'recovered' | 'again' | 'dropped' | 'p50' | 'p99' | 'caughtUpP99', number>;
}

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN;

export function createMessageStats(): MessageStats {
  const sentAt = new Map<string, number>();
  const latencies: number[] = [];
  const gaps: number[] = [];
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
    caughtUp(ms) {
      gaps.push(ms);
    },
    figures() {
      return {
        ...{ live: latencies.length, recovered, again, dropped },
        ...{
          p50: quantile(latencies, 0.5),
          p99: quantile(latencies, 0.99),
          caughtUpP99: quantile(gaps, 0.99),
        },
      };
    },
  };
}
