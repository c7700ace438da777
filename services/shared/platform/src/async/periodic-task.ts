import { AsyncResource } from 'node:async_hooks';
import { type Clock, systemClock } from './clock.ts';

/** Work that is repeated until it is stopped. */
export interface PeriodicTask {
  /** Resets the pauses to `intervalMs`: there may be something to do. */
  wake(): void;
  /** Waits for a run in progress. */
  stop(): Promise<void>;
}

export interface PeriodicTaskOptions {
  /** While the work returns `'idle'`, each pause doubles, up to this many milliseconds. */
  idleMs?: number;
  clock?: Clock;
}

/**
 * Runs `work` now and then repeatedly, `intervalMs` after the end of the last run, ±50 % at random, so that instances that
 * started together do not run at the same moments.
 *
 * @param work - Gets a signal that is aborted by `stop()`. Must not reject.
 */
export function startPeriodicTask(
  intervalMs: number,
  work: (stopping: AbortSignal) => Promise<unknown>,
  { idleMs = intervalMs, clock = systemClock }: PeriodicTaskOptions = {},
): PeriodicTask {
  const stopping = new AbortController();
  let pendingSleep: AbortController | undefined;
  let pauseMs = intervalMs;
  let currentRun = Promise.resolve();
  // It may be woken by a request, whose context does not apply to the work.
  const context = new AsyncResource('PeriodicTask');
  const wait = () => {
    const stopped = new AbortController();
    pendingSleep = stopped;
    clock.sleep(pauseMs * (0.5 + Math.random()), stopped.signal).then(loop, () => {});
  };
  const loop = () => {
    pendingSleep = undefined;
    currentRun = work(stopping.signal)
      .then((result) => {
        pauseMs = result === 'idle' ? Math.min(2 * pauseMs, idleMs) : intervalMs;
      })
      .finally(() => {
        if (!stopping.signal.aborted) wait();
      });
  };
  loop();
  return {
    wake() {
      if (pauseMs === intervalMs) return;
      pauseMs = intervalMs;
      if (!pendingSleep) return;
      pendingSleep.abort();
      context.runInAsyncScope(wait);
    },
    async stop() {
      stopping.abort();
      pendingSleep?.abort();
      await currentRun;
    },
  };
}
