import { setTimeout as pause } from 'node:timers/promises';

/** Timeout, so that a network that hangs does not delay the report of a failure. */
const describeTimeoutMs = 3_000;

/** Functions that describe the networks of this process. */
const networks = new Set<() => Promise<string>>();

/** Adds the state of a network to failures of `eventually`, until the returned function is called. */
export function trackNetwork(describe: () => Promise<string>): () => void {
  networks.add(describe);
  return () => void networks.delete(describe);
}

/** Returns the state of every network of this process; empty without one. */
export async function describeNetworks(): Promise<string> {
  const timeout = () =>
    pause(describeTimeoutMs, `state unknown: not available within ${describeTimeoutMs} ms`, { ref: false });
  const states = await Promise.allSettled(
    [...networks].map((describe) => Promise.race([describe(), timeout()])),
  );
  return states
    .map((state) => (state.status === 'fulfilled' ? state.value : `state unknown: ${state.reason}`))
    .join('\n');
}

/** The embedded store's error code for a query without an index (`notablescan`). */
const noIndexErrorCode = 291;

/** A collection without an outbox has no index for this query, and nothing to publish. */
function zeroWithoutIndex(error: unknown): number {
  if (error instanceof Error && 'code' in error && error.code === noIndexErrorCode) return 0;
  throw error;
}

/** Lists the collections in which events are pending, as `database.collection: documents`. */
export async function pendingOutboxes(mongoUrl: string, databases: readonly string[]): Promise<string[]> {
  // Imported only when needed, for failures.
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(mongoUrl, { serverSelectionTimeoutMS: 2_000 });
  try {
    const pending: string[] = [];
    for (const name of databases) {
      const database = client.db(name);
      for (const collection of await database.listCollections({}, { nameOnly: true }).toArray()) {
        const count = await database
          .collection(collection.name)
          .countDocuments({ outboxDueAt: { $type: 'date' } })
          .catch(zeroWithoutIndex);
        if (count > 0) pending.push(`${name}.${collection.name}: ${count}`);
      }
    }
    return pending;
  } finally {
    await client.close();
  }
}
