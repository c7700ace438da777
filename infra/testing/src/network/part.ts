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

const pollIntervalMs = 250;
/** Generous: a dozen containers start at the same time, perhaps on a busy machine. */
const timeoutMs = 180_000;

/**
 * Polls the readiness of a part.
 *
 * @param exitReason - Returns how the part exited; undefined while it runs.
 * @throws If it exits, or is not ready within three minutes.
 */
export async function waitUntilReady(
  name: string,
  managementUrl: string,
  exitReason: () => string | undefined,
): Promise<void> {
  const isReady = () =>
    fetch(`${managementUrl}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const end = Date.now() + timeoutMs;
  while (!(await isReady())) {
    const reason = exitReason();
    if (reason !== undefined) throw new Error(`${name} exited before it was ready (${reason})`);
    if (Date.now() > end) throw new Error(`${name} was not ready within ${timeoutMs / 1_000} s`);
    await pause(pollIntervalMs);
  }
}
