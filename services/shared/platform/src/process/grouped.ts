/** What somebody waits for. */
export interface Asked<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Calls of which those that come while one is under way are done together, next: the busier it is, the less each costs.
 * `act` answers each by its `resolve` or `reject`; whom it leaves without an answer hears its error. At most `most` at once.
 */
export function grouped<T, R>(
  act: (asked: Asked<T, R>[]) => Promise<void>,
  { most = 100, onIdle = () => {} }: { most?: number; onIdle?: () => void } = {},
): (item: T) => Promise<R> {
  const waiting: Asked<T, R>[] = [];
  let busy = false;

  const work = async () => {
    busy = true;
    while (waiting.length) {
      const batch = waiting.splice(0, most);
      let failure: unknown = new Error('it was left without an answer');
      try {
        await act(batch);
      } catch (error) {
        failure = error;
      }
      // Of who has its answer already, this changes nothing.
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

/** As `grouped`, apart for each key. */
export function groupedBy<K, T, R>(
  act: (asked: Asked<T, R>[]) => Promise<void>,
): (key: K, item: T) => Promise<R> {
  const queues = new Map<K, (item: T) => Promise<R>>();
  return (key, item) => {
    const queue = queues.get(key) ?? grouped(act, { onIdle: () => queues.delete(key) });
    queues.set(key, queue);
    return queue(item);
  };
}
