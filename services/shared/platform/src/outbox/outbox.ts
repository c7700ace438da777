import { randomUUID } from 'node:crypto';
import type { Event } from '@wayquest/contracts';
import type { Model } from 'mongoose';
import { type Clock, systemClock } from '../async/clock.ts';
import { type PeriodicTask, startPeriodicTask } from '../async/periodic-task.ts';
import type { EventBus } from '../bus/event-bus.ts';
import { insertOrdered } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import { outboxLeaseMs, type WithOutbox } from './outbox-document.ts';
import { createOutboxRelay, type OutboxCollection, type OutboxModel } from './outbox-relay.ts';

const sweepEveryMs = 2_000;
/** While idle: only finds events left over by a crashed instance, or written by the admin CLI. */
const idleSweepMs = 20_000;
const measureEveryMs = 5_000;
const batchSize = 100;
const maxConcurrent = 10;

/** A document without the fields of its outbox. */
type NewDocument<T extends { _id: unknown }> = Pick<T, '_id'> & Omit<T, keyof WithOutbox>;

/** The outbox in the documents of one collection. */
export interface Outbox<T extends { _id: unknown }> {
  /** Inserts a document with its events and relays them; with their removal two commands to the store. */
  create(document: NewDocument<T>, events: Event[]): Promise<void>;
  /**
   * Inserts documents in order, until the store rejects one, and relays the events of the inserted ones; two commands to the
   * store for all.
   *
   * @returns How many were inserted, and the error of the next one.
   */
  createOrdered(
    items: { document: NewDocument<T>; events: Event[] }[],
  ): Promise<{ inserted: number; error?: unknown }>;
  /**
   * Relays what an update (`withEvents`) has just added to a document's outbox, after all earlier events; with the update three
   * commands to the store, as the outbox has to be claimed first.
   */
  send(id: T['_id']): void;
}

/** All outboxes of a service. */
export interface Outboxes {
  /**
   * Registers a model whose documents have an outbox. `onRelay` runs once or more per event while it is being published; order
   * is only guaranteed within one document. It is the way to keep projections in the same service: the event leaves the outbox
   * when it has succeeded, and is published again if it fails or takes longer than three leases.
   */
  forModel<T extends WithOutbox & { _id: unknown }>(
    model: Model<T>,
    options?: { onRelay?: (event: Event) => Promise<void> },
  ): Outbox<T>;
  /** Starts the sweep: relays leftovers every few seconds, less often while there are none. */
  start(): void;
  /**
   * Stops the sweep and waits for the running relays, but no longer than half a lease: what is not published by then stays in its
   * outbox.
   */
  stop(): Promise<void>;
  /** Whether this instance is relaying events. Asks no store; events may wait although it is not. */
  isRelaying(): boolean;
  /** Whether no event waits in an outbox of this service; a query for each collection. */
  empty(): Promise<boolean>;
}

export interface OutboxOptions {
  bus: Pick<EventBus, 'publish' | 'ready'>;
  logger: Logger;
  /** The service's name in traces. */
  service?: string;
  leaseMs?: number;
  clock?: Clock;
}

/**
 * Transactional outbox: publishes events from the documents that they were written into, at least once.
 *
 *     idle    -- an event is written -->                 due       (outboxDueAt set, no claim)
 *     due     -- claimed by an instance -->              claimed   (until the lease ends)
 *     claimed -- all events published and removed -->    idle
 *     claimed -- publishing failed, or lease ended -->   due       (with back-off after a failure)
 *
 * Ordering: every relay starts at the oldest event, waits for each, and removes only what it published, so that duplicates are
 * possible but reordering is not.
 */
export function createOutboxes({
  bus,
  logger,
  service = 'outbox',
  leaseMs = outboxLeaseMs,
  clock = systemClock,
}: OutboxOptions): Outboxes {
  const collections = new Map<string, OutboxCollection>();
  const { leaseEnd, claim, relay, createClearSingle } = createOutboxRelay({
    ...{ bus, logger, service, leaseMs, clock },
  });
  const activeRelays = new Map<string, { again: boolean; done: Promise<void> }>();
  let sweepTask: PeriodicTask | undefined;
  let measureTask: PeriodicTask | undefined;

  const keyOf = ({ model }: OutboxCollection, id: unknown) => `${model.collection.name}/${String(id)}`;

  const claimAndRelay = async (collection: OutboxCollection, id: unknown) =>
    relay(
      await claim(collection, id, {
        outboxDueAt: { $type: 'date' },
        $or: [{ outboxClaim: null }, { outboxDueAt: { $lte: new Date(clock.now()) } }],
      }),
    );

  /** After a failed command the outbox is claimed again when the lease has ended. */
  const logRelayFailure =
    ({ model }: OutboxCollection) =>
    (error: unknown) =>
      logger.warn({ err: error, collection: model.collection.name }, 'outbox relay failed');

  /** Runs one relay per document at a time; a request during it runs one more afterwards. */
  const relaySerially = (collection: OutboxCollection, id: unknown, first: () => Promise<void>) => {
    sweepTask?.wake();
    const key = keyOf(collection, id);
    const running = activeRelays.get(key);
    if (running) {
      running.again = true;
      return running.done;
    }
    const state = { again: false, done: Promise.resolve() };
    const relayUntilDone = async () => {
      await first().catch(logRelayFailure(collection));
      while (state.again) {
        state.again = false;
        await claimAndRelay(collection, id).catch(logRelayFailure(collection));
      }
      activeRelays.delete(key);
    };
    activeRelays.set(key, state);
    state.done = relayUntilDone();
    return state.done;
  };

  /** Waits for work, but no longer than half a lease. */
  const waitBriefly = async (work: Promise<unknown>) => {
    const waiting = new AbortController();
    const timeout = clock.sleep(leaseMs / 2, waiting.signal).catch(() => {});
    await Promise.race([work, timeout]);
    waiting.abort();
  };

  const sweep = async (collection: OutboxCollection, stopping: AbortSignal) => {
    const { model } = collection;
    let found: number;
    collection.pending = true;
    do {
      // Claims would be useless load on the store.
      if (!bus.ready()) return;
      const now = new Date(clock.now());
      const isDue = { outboxDueAt: { $lte: now } };
      const waiting = await model
        .find({ outboxDueAt: { $type: 'date' } }, { outboxDueAt: 1 })
        .sort({ outboxDueAt: 1 })
        .limit(batchSize)
        .lean();
      collection.pending = waiting.length > 0;
      // A slow relay of this instance goes on, also if its lease has ended.
      const leftovers = waiting.filter(
        ({ _id, outboxDueAt }) =>
          outboxDueAt && outboxDueAt <= now && !activeRelays.has(keyOf(collection, _id)),
      );
      found = leftovers.length;
      const remaining = leftovers.values();
      const work = async () => {
        for (const { _id } of remaining)
          await waitBriefly(
            relaySerially(collection, _id, async () => relay(await claim(collection, _id, isDue))),
          );
      };
      await Promise.all(Array.from({ length: maxConcurrent }, work));
    } while (found === batchSize && !stopping.aborted);
  };

  /** Measures the age of the oldest event, claimed or not. */
  const measure = async ({ model, pending }: OutboxCollection) => {
    const [oldest] = pending
      ? await model.aggregate<{ occurredAt: string | null }>([
          { $match: { outboxDueAt: { $type: 'date' } } },
          { $group: { _id: null, occurredAt: { $min: { $arrayElemAt: ['$outbox.occurredAt', 0] } } } },
        ])
      : [];
    const ageMs = oldest?.occurredAt ? clock.now() - Date.parse(oldest.occurredAt) : 0;
    metrics.outboxOldestEventAge.set({ collection: model.collection.name }, ageMs / 1_000);
  };

  const forEach =
    (work: (collection: OutboxCollection, stopping: AbortSignal) => Promise<void>) =>
    async (stopping: AbortSignal) => {
      for (const collection of collections.values())
        await work(collection, stopping).catch(logRelayFailure(collection));
      return [...collections.values()].some(({ pending }) => pending) ? undefined : 'idle';
    };

  return {
    forModel<T extends WithOutbox & { _id: unknown }>(
      typed: Model<T>,
      { onRelay }: { onRelay?: OutboxCollection['onRelay'] } = {},
    ): Outbox<T> {
      // The outbox needs only the fields of WithOutbox.
      const model = typed as unknown as OutboxModel;
      const collection = { model, pending: true, onRelay, clearSingle: createClearSingle(model) };
      collections.set(model.collection.name, collection);

      const claimedBy = (events: Event[], claim: string) => ({
        outbox: events,
        outboxClaim: claim,
        outboxDueAt: leaseEnd(),
      });
      const relayNew = (id: unknown, events: Event[], claim: string) =>
        relaySerially(collection, id, () =>
          relay({ collection, id, claim, events, deleted: false, attempts: 0 }),
        );

      return {
        async create(document, events) {
          const claim = randomUUID();
          await model.create({ ...document, ...claimedBy(events, claim) });
          relayNew(document._id, events, claim);
        },
        async createOrdered(items) {
          const claim = randomUUID();
          const result = await insertOrdered(
            model,
            items.map(({ document, events }) => ({ ...document, ...claimedBy(events, claim) })),
          );
          for (const { document, events } of items.slice(0, result.inserted))
            relayNew(document._id, events, claim);
          return result;
        },
        send(id) {
          relaySerially(collection, id, () => claimAndRelay(collection, id));
        },
      };
    },
    start() {
      sweepTask = startPeriodicTask(sweepEveryMs, forEach(sweep), { idleMs: idleSweepMs, clock });
      measureTask = startPeriodicTask(measureEveryMs, forEach(measure), { idleMs: idleSweepMs, clock });
    },
    async stop() {
      await Promise.all([sweepTask?.stop(), measureTask?.stop()]);
      const relayAll = async () => {
        while (activeRelays.size) await Promise.all([...activeRelays.values()].map(({ done }) => done));
      };
      await waitBriefly(relayAll());
    },
    isRelaying: () => activeRelays.size > 0,
    async empty() {
      if (activeRelays.size) return false;
      for (const { model } of collections.values())
        if (await model.exists({ outboxDueAt: { $type: 'date' } })) {
          sweepTask?.wake();
          return false;
        }
      return true;
    },
  };
}
