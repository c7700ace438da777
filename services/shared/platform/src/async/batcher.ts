/** An item of a batch, and how to settle the call that added it. */
export interface BatchItem<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Coalesces concurrent calls: while one batch runs, later calls queue and run as the next batch. Items that `run` neither
 * resolves nor rejects are rejected with its error.
 *
 * @param run - Processes a batch; settles each item.
 * @param options - `maxBatchSize`: items per batch. `onIdle`: called when the queue is empty.
 */
export function createBatcher<T, R>(
  run: (items: BatchItem<T, R>[]) => Promise<void>,
  { maxBatchSize = 100, onIdle = () => {} }: { maxBatchSize?: number; onIdle?: () => void } = {},
): (item: T) => Promise<R> {
  const waiting: BatchItem<T, R>[] = [];
  let busy = false;

  const work = async () => {
    busy = true;
    while (waiting.length) {
      const batch = waiting.splice(0, maxBatchSize);
      let failure: unknown = new Error('the batch did not settle this item');
      try {
        await run(batch);
      } catch (error) {
        failure = error;
      }
      // No effect on items that are settled.
      for (const { reject } of batch) reject(failure);
    }
    busy = false;
    onIdle();
  };

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) void work();
    });
}

/** As `createBatcher`, with a queue for each key. */
export function createKeyedBatcher<K, T, R>(
  run: (items: BatchItem<T, R>[]) => Promise<void>,
): (key: K, item: T) => Promise<R> {
  const batchers = new Map<K, (item: T) => Promise<R>>();
  return (key, item) => {
    const batch = batchers.get(key) ?? createBatcher(run, { onIdle: () => batchers.delete(key) });
    batchers.set(key, batch);
    return batch(item);
  };
}
