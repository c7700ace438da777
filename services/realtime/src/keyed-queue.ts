/** Runs tasks of the same key one after the other, those of different keys in parallel. */
export function createKeyedQueue<K>(onError: (error: unknown) => void) {
  const tails = new Map<K, Promise<void>>();
  const run = (key: K, task: () => Promise<void>): Promise<void> => {
    const result = (tails.get(key) ?? Promise.resolve()).then(task);
    const tail: Promise<void> = result
      .catch(() => {})
      .then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return result;
  };
  return {
    /** Runs a task whose error the caller handles. */
    run,
    /** Runs a task whose error is given to `onError`. */
    add: (key: K, task: () => Promise<void>): Promise<void> => run(key, task).catch(onError),
    async onIdle(): Promise<void> {
      while (tails.size) await Promise.all(tails.values());
    },
  };
}
