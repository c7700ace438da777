import { type Event, type ServiceName, serviceNames } from '@wayquest/contracts';
import type { WithOutbox } from '@wayquest/platform/store';
import { collectionsOf, type Database, type Databases, withDatabases } from './databases.ts';

/** Yields the outboxes of a service with unpublished events, by an index. */
export async function* outboxesIn(database: Database): AsyncGenerator<Event[]> {
  for (const name of await collectionsOf(database)) {
    const collection = database.collection<WithOutbox>(name);
    const indexes = await collection.indexes();
    if (!indexes.some(({ key }) => 'outboxDueAt' in key)) continue;
    const waiting = collection.find({ outboxDueAt: { $type: 'date' } }, { projection: { outbox: 1 } });
    for await (const { outbox } of waiting) yield outbox;
  }
}

interface OutboxBacklog {
  service: ServiceName;
  count: number;
  /** Time of the oldest event; undefined without one. */
  since?: string;
}

/** Counts the unpublished events of each service. */
export const countWaiting = (databases: Databases): Promise<OutboxBacklog[]> =>
  withDatabases(databases, async (databaseOf) => {
    const all: OutboxBacklog[] = [];
    for (const service of serviceNames) {
      const waiting: OutboxBacklog = { service, count: 0 };
      for await (const outbox of outboxesIn(databaseOf(service)))
        for (const { occurredAt } of outbox) {
          waiting.count += 1;
          if (!waiting.since || occurredAt < waiting.since) waiting.since = occurredAt;
        }
      all.push(waiting);
    }
    return all;
  });
