import { randomUUID } from 'node:crypto';
import {
  type Event,
  type EventData,
  type EventName,
  type ServiceName,
  serviceNames,
  subscriptions,
} from '@wayquest/contracts';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Clock } from '../async/clock.ts';
import { type PeriodicTask, startPeriodicTask } from '../async/periodic-task.ts';
import { type EventBus, newEvent } from '../bus/event-bus.ts';
import { addOutbox, type WithOutbox } from '../outbox/outbox-document.ts';
import { isDuplicateKey } from '../store/store-errors.ts';
import type { Logger } from '../telemetry/logging.ts';

interface ReplicaRequestDocument extends WithOutbox {
  _id: string;
}

const requestSchema = new Schema<ReplicaRequestDocument>({ _id: { type: String, required: true } });
addOutbox(requestSchema);
requestSchema.set('shardKey', { _id: 'hashed' });

/** Rebuild requests of a service: stored in its own database, published by its own outbox. */
export const replicaRequestModel = (connection: Connection): Model<ReplicaRequestDocument> =>
  connection.model<ReplicaRequestDocument>('ReplicaRequest', requestSchema, 'replica_requests');

/** Enqueues a rebuild of the service's replicas; the running service publishes the request within seconds. */
export async function requestReplicaRebuild(connection: Connection, service: ServiceName): Promise<void> {
  await replicaRequestModel(connection).create({
    _id: randomUUID(),
    outbox: [newEvent('replica.rebuild-requested.v1', { service })],
    outboxDueAt: new Date(),
    // The document is deleted once the event is published.
    deletedAt: new Date(),
  });
}

/** Merges two sequences that are sorted by id. */
export async function* mergeById<T extends { id: number }>(
  one: AsyncGenerator<T, void>,
  other: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  let [first, second] = [await one.next(), await other.next()];
  for (;;) {
    if (!first.done && (second.done || first.value.id < second.value.id)) {
      yield first.value;
      first = await one.next();
    } else if (!second.done) {
      yield second.value;
      second = await other.next();
    } else return;
  }
}

/** An entity of the owner, as the events that describe its current state. */
export interface ReplayRecord {
  id: number;
  events: Event[];
}

/** Reads the current state of all entities with an id greater than `after`, in the order of ids. */
export type Snapshot = (after: number) => AsyncIterable<ReplayRecord>;

interface ReplayDocument {
  /** The service that requested it. */
  _id: string;
  /** The id of its request. */
  run: string;
  /** When it was requested; replica rows updated later are newer than the snapshot. */
  since: Date;
  /** The cursor: the last id that was published. */
  position: number;
  /** When any instance may resume it. */
  dueAt: Date;
}

const schema = new Schema<ReplayDocument>({
  _id: { type: String, required: true },
  run: { type: String, required: true },
  since: { type: Date, required: true },
  position: { type: Number, required: true },
  dueAt: { type: Date, required: true },
}).index({ dueAt: 1 });
schema.set('shardKey', { _id: 'hashed' });

/** Longer than the clocks of a service's instances differ. */
const maxClockSkewMs = 2_000;
const leaseMs = 30_000;
const retryMs = 5_000;
const pollMs = 1_000;
/** While idle: finds requests that another instance received or left behind in a crash. */
const idlePollMs = 30_000;
/** Records per publication; the cursor is stored after each. */
const flushSize = 100;

export interface ReplicaReplayOptions {
  name: ServiceName;
  connection: Connection;
  bus: EventBus;
  logger: Logger;
  snapshot: Snapshot;
  clock: Clock;
}

/**
 * Runs replica snapshots on request. Progress is a cursor in the store, so that any instance can resume after a crash.
 * Publishes `replica.snapshot-completed` at the end of a snapshot.
 */
export interface ReplicaReplay {
  /** Stores a request; idempotent by `run`. */
  request(requested: EventData<'replica.rebuild-requested.v1'>, run: string): Promise<void>;
  start(): void;
  stop(): Promise<void>;
  /** Whether no replay is pending. */
  isIdle(): Promise<boolean>;
}

/** Creates the replays of a service, which run once it is started. */
export function createReplicaReplay({
  name,
  connection,
  bus,
  logger,
  snapshot,
  clock,
}: ReplicaReplayOptions): ReplicaReplay {
  const Replays = connection.model<ReplayDocument>('ReplicaReplay', schema, 'replica_replays');
  let task: PeriodicTask | undefined;

  /** Publishes the rest of a snapshot; returns early if it is requested again, or the service stops. */
  const publishSnapshot = async (
    { _id, run, since, position }: ReplayDocument,
    stopping: AbortSignal,
  ): Promise<void> => {
    const to = serviceNames.find((service) => service === _id);
    const receivedEvents: readonly EventName[] = to ? subscriptions[to] : [];
    const publish = async (events: Event[]) => {
      const subscribed = events.filter((event) => receivedEvents.includes(event.name));
      await Promise.all(
        subscribed.map((event) => bus.publish({ ...event, replayed: since.toISOString() }, to ? { to } : {})),
      );
    };

    let pending: ReplayRecord[] = [];
    const flush = async () => {
      await publish(pending.flatMap(({ events }) => events));
      const position = pending.at(-1)?.id;
      pending = [];
      const { matchedCount } = await Replays.updateOne(
        { _id, run },
        { $set: { ...(position !== undefined && { position }), dueAt: new Date(clock.now() + leaseMs) } },
      );
      return matchedCount > 0;
    };

    for await (const record of snapshot(position)) {
      pending.push(record);
      if (pending.length < flushSize) continue;
      // It was requested again, or the service stops.
      if (!(await flush()) || stopping.aborted) return;
    }
    if (!(await flush())) return;
    await publish([
      newEvent('replica.snapshot-completed.v1', { owner: name, since: since.toISOString() }, clock),
    ]);
    await Replays.deleteOne({ _id, run });
  };

  const work = async (stopping: AbortSignal) => {
    while (!stopping.aborted) {
      const replay = await Replays.findOneAndUpdate(
        { dueAt: { $lte: new Date(clock.now()) } },
        { $set: { dueAt: new Date(clock.now() + leaseMs) } },
        { returnDocument: 'after' },
      ).lean();
      if (!replay) return (await isIdle()) ? 'idle' : undefined;
      const { _id, run } = replay;
      try {
        await publishSnapshot(replay, stopping);
      } catch (error) {
        logger.warn({ err: error, to: _id }, 'replica replay failed');
        await Replays.updateOne({ _id, run }, { $set: { dueAt: new Date(clock.now() + retryMs) } });
      }
    }
  };

  const isIdle = async () => (await Replays.exists({})) === null;

  return {
    async request({ service }, run) {
      const now = clock.now();
      try {
        await Replays.updateOne(
          { _id: service, run: { $ne: run } },
          // Starts only after all writes whose clock says that they came before `since`.
          { $set: { run, since: new Date(now), position: 0, dueAt: new Date(now + maxClockSkewMs) } },
          { upsert: true },
        );
        task?.wake();
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    start(): void {
      task = startPeriodicTask(
        pollMs,
        (stopping) =>
          work(stopping).catch((error) =>
            logger.warn({ err: error }, 'could not load pending replica replays'),
          ),
        { idleMs: idlePollMs, clock },
      );
    },

    async stop(): Promise<void> {
      await task?.stop();
    },

    isIdle,
  };
}
