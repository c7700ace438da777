import { setTimeout as pause } from 'node:timers/promises';
import type { PartName } from './network.ts';

/** One replica of a part, outside this process. */
export interface Part {
  name: PartName;
  /** Its URL and management URL, as this machine reaches them; known before it starts. */
  url: string;
  managementUrl: string;
  /** Resolves when it is ready; throws with its output if it exits before or takes too long. */
  start(env: Record<string, string>): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  kill(): Promise<void>;
  /** Stops it gracefully. */
  stop(): Promise<void>;
}

export interface PartOptions {
  name: PartName;
  /** Called for each line of output. */
  print(line: string): void;
}

const lookEveryMs = 250;
const patienceMs = 60_000;

/** Requests a management port until it is ready; `ended` returns how a part that exited did so. */
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
