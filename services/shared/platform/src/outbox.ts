import type { Event } from '@wayquest/contracts';
import { type Model, Schema } from 'mongoose';
import type { EventBus } from './event-bus.ts';
import type { Logger } from './logging.ts';
import { metrics } from './metrics.ts';

/** A document that tells what happened to it: state and events are one atomic write. */
export interface WithOutbox {
  outbox: Event[];
  /** When the events are to be sent (again): whoever moves it on holds them until then. Absent: nothing to send. */
  outboxDueAt?: Date | null;
  outboxAttempts?: number | null;
  /** A tombstone: the document goes once its events are out. */
  deletedAt?: Date | null;
}

/** How long the writer of an event, or a relay that claimed it, has for sending it before others may. */
const leaseMs = 5_000;
const longestPauseMs = 60_000;
const sweepEveryMs = 2_000;
const batch = 100;

const due = (inMs: number) => new Date(Date.now() + inMs);

/** Adds the outbox to a schema. */
export function addOutbox(schema: Schema): void {
  const event = new Schema(
    {
      id: { type: String, required: true },
      name: { type: String, required: true },
      occurredAt: { type: String, required: true },
      requestId: String,
      data: { type: Schema.Types.Mixed, required: true },
    },
    { _id: false, id: false },
  );
  schema.add({ outbox: [event], outboxDueAt: Date, outboxAttempts: Number, deletedAt: Date });
  schema.index({ outboxDueAt: 1 }, { sparse: true });
}

/** The outbox fields of a new document. */
export const outboxOf = (events: Event[]): WithOutbox => ({ outbox: events, outboxDueAt: due(leaseMs) });

interface Update {
  $set?: Record<string, unknown>;
  $push?: Record<string, unknown>;
}

/** An update that also appends events to the document's outbox. */
export const withEvents = <U extends Update>(update: U, events: Event[]) => ({
  ...update,
  $set: { ...update.$set, outboxDueAt: due(leaseMs) },
  $push: { ...update.$push, outbox: { $each: events } },
});

export interface Outbox {
  /** Publishes at once what a write has just put into a document's outbox; on failure the sweep goes on with it. */
  send<T extends WithOutbox>(model: Model<T>, id: unknown, events: Event[]): void;
  /** Sends leftovers now and then every few seconds. */
  start(): void;
  /** Stops the sweep and waits for what is being sent. */
  stop(): Promise<void>;
  /** Whether no event of this service waits in any outbox. */
  empty(): Promise<boolean>;
}

/**
 * Publishes events from the documents they were written into, in their order within a document, at least once.
 * Instances share the work: an event is held by moving its due time on, and comes due again if its holder dies.
 */
export function createOutbox(
  { bus, logger }: { bus: EventBus; logger: Logger },
  models: () => Model<WithOutbox>[],
): Outbox {
  const chains = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  let stopped = false;

  const forget = async (model: Model<WithOutbox>, id: unknown, events: Event[]) => {
    const ids = events.map((event) => event.id);
    const exactly = { _id: id, outbox: { $size: ids.length }, 'outbox.id': { $all: ids } };
    const { deletedCount } = await model.deleteOne({ ...exactly, deletedAt: { $type: 'date' } });
    if (deletedCount) return;
    const done = { $set: { outbox: [] }, $unset: { outboxDueAt: 1, outboxAttempts: 1 } };
    const { matchedCount } = await model.updateOne(exactly, done);
    // More was written meanwhile: its own sender, or the sweep, finishes.
    if (!matchedCount) await model.updateOne({ _id: id }, { $pull: { outbox: { id: { $in: ids } } } });
  };

  const publish = async (model: Model<WithOutbox>, id: unknown, events: Event[]) => {
    try {
      for (const event of events) await bus.publish(event);
      await forget(model, id, events);
    } catch (error) {
      metrics.outboxFailures.inc({ collection: model.collection.name });
      logger.warn({ err: error, collection: model.collection.name, id }, 'events wait in an outbox');
    }
  };

  const send = (model: Model<WithOutbox>, id: unknown, events: Event[]): Promise<void> => {
    const key = `${model.collection.name}/${String(id)}`;
    const chain = (chains.get(key) ?? Promise.resolve()).then(() => publish(model, id, events));
    const last = chain.finally(() => {
      if (chains.get(key) === last) chains.delete(key);
    });
    chains.set(key, last);
    return last;
  };

  const claim = (model: Model<WithOutbox>, id: unknown, attempts: number) =>
    model
      .findOneAndUpdate(
        { _id: id, outboxDueAt: { $lte: new Date() } },
        {
          $set: { outboxDueAt: due(leaseMs + Math.min(longestPauseMs, 1_000 * 2 ** attempts)) },
          $inc: { outboxAttempts: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean();

  const sweepCollection = async (model: Model<WithOutbox>) => {
    for (;;) {
      const leftovers = await model
        .find({ outboxDueAt: { $lte: new Date() } }, { outboxDueAt: 1, outboxAttempts: 1 })
        .sort({ outboxDueAt: 1 })
        .limit(batch)
        .lean();
      const oldest = leftovers[0]?.outboxDueAt;
      metrics.outboxOldest.set(
        { collection: model.collection.name },
        oldest ? (Date.now() - oldest.getTime()) / 1_000 : 0,
      );
      // Claims that come to nothing would only keep the store from its work.
      if (!bus.ready()) return;
      await Promise.all(
        leftovers.map(async ({ _id, outboxAttempts }) => {
          const claimed = await claim(model, _id, outboxAttempts ?? 0);
          if (claimed) await send(model, _id, claimed.outbox);
        }),
      );
      if (leftovers.length < batch || stopped) return;
    }
  };

  const sweep = async () => {
    for (const model of models()) {
      try {
        await sweepCollection(model);
      } catch (error) {
        logger.warn({ err: error, collection: model.collection.name }, 'an outbox could not be swept');
      }
    }
  };

  const loop = () => {
    sweeping = sweep().finally(() => {
      if (!stopped) timer = setTimeout(loop, sweepEveryMs);
    });
  };

  return {
    send(model, id, events) {
      // The outbox needs only the part of the model that every document with an outbox has.
      void send(model as unknown as Model<WithOutbox>, id, events);
    },
    start: loop,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
      while (chains.size) await Promise.allSettled(chains.values());
    },
    async empty() {
      if (chains.size) return false;
      for (const model of models()) if (await model.exists({ outboxDueAt: { $type: 'date' } })) return false;
      return true;
    },
  };
}
