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
}

/**
 * Does something now and again and again, each time as long after the last one as is said, give or take a half: several
 * instances that started together do not all come at the same moments. The work may look whether it is to stop.
 */
export function repeat(
  everyMs: number,
  work: (stopping: AbortSignal) => Promise<unknown>,
  { idleMs = everyMs }: RepeatOptions = {},
): Repetition {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = everyMs;
  let working = Promise.resolve();
  const wait = () => {
    timer = setTimeout(loop, pauseMs * (0.5 + Math.random()));
  };
  const loop = () => {
    timer = undefined;
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
      if (!timer) return;
      clearTimeout(timer);
      wait();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await working;
    },
  };
}
