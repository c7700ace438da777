import { setTimeout as pause } from 'node:timers/promises';
import type { PartName } from './network.ts';

/** One replica of a part, apart from this process. */
export interface Part {
  name: PartName;
  /** As this machine reaches it, and its management port: also before it has started. */
  url: string;
  managementUrl: string;
  /** Resolves when it is ready; throws with what it said when it ends before, or takes too long. */
  start(env: Record<string, string>): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  kill(): Promise<void>;
  /** As an operator does. */
  stop(): Promise<void>;
}

export interface PartOptions {
  name: PartName;
  /** Told of each line that it prints. */
  print(line: string): void;
}

const lookEveryMs = 250;
const patienceMs = 60_000;

/** Asks a management port until it says yes; `ended` answers how a part that ended did so. */
export async function untilReady(
  name: string,
  managementUrl: string,
  ended: () => string | undefined,
): Promise<void> {
  const isReady = () =>
    fetch(`${managementUrl}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const end = Date.now() + patienceMs;
  while (!(await isReady())) {
    const how = ended();
    if (how !== undefined) throw new Error(`${name} ended before it was ready (${how})`);
    if (Date.now() > end) throw new Error(`${name} was not ready within ${patienceMs / 1_000} s`);
    await pause(lookEveryMs);
  }
}
