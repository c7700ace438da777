/** Work that is done again and again. */
export interface Repetition {
  /** Waits for what is being done. */
  stop(): Promise<void>;
}

/**
 * Does something now and again and again, each time as long after the last one as is said, give or take a half: several
 * instances that started together do not all come at the same moments. The work may look whether it is to stop.
 */
export function repeat(everyMs: number, work: (stopping: AbortSignal) => Promise<void>): Repetition {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  const loop = () => {
    working = work(stopping.signal).finally(() => {
      if (!stopping.signal.aborted) timer = setTimeout(loop, everyMs * (0.5 + Math.random()));
    });
  };
  loop();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await working;
    },
  };
}
