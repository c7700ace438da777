/** Runs tasks of the same key one after the other, those of different keys in parallel. */
export function createKeyedQueue<K>(onError: (error: unknown) => void) {
  const tails = new Map<K, Promise<void>>();
  return {
    add(key: K, task: () => Promise<void>): Promise<void> {
      const tail = (tails.get(key) ?? Promise.resolve()).then(task).catch(onError);
      tails.set(key, tail);
      return tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    },
    async onIdle(): Promise<void> {
      while (tails.size) await Promise.all(tails.values());
    },
  };
}
