import { type Clock, systemClock } from './clock.ts';

/** Work that is done again and again. */
export interface Repetition {
  /** There may be something to do: the pauses are short again. */
  wake(): void;
  /** Waits for what is being done. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  /** Where the work answers `'idle'`, each pause is twice as long as the one before, up to this many milliseconds. */
  idleMs?: number;
  clock?: Clock;
}

/**
 * Does something now and again and again, each time as long after the last one as is said, give or take a half: several
 * instances that started together do not all come at the same moments. The work may look whether it is to stop.
 */
export function repeat(
  everyMs: number,
  work: (stopping: AbortSignal) => Promise<unknown>,
  { idleMs = everyMs, clock = systemClock }: RepeatOptions = {},
): Repetition {
  const stopping = new AbortController();
  let waiting: AbortController | undefined;
  let pauseMs = everyMs;
  let working = Promise.resolve();
  const wait = () => {
    const stopped = new AbortController();
    waiting = stopped;
    clock.sleep(pauseMs * (0.5 + Math.random()), stopped.signal).then(loop, () => {});
  };
  const loop = () => {
    waiting = undefined;
    working = work(stopping.signal)
      .then((answer) => {
        pauseMs = answer === 'idle' ? Math.min(2 * pauseMs, idleMs) : everyMs;
      })
      .finally(() => {
        if (!stopping.signal.aborted) wait();
      });
  };
  loop();
  return {
    wake() {
      if (pauseMs === everyMs) return;
      pauseMs = everyMs;
      if (!waiting) return;
      waiting.abort();
      wait();
    },
    async stop() {
      stopping.abort();
      waiting?.abort();
      await working;
    },
  };
}
