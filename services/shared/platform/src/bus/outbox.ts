import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Event } from '@wayquest/contracts';
import { type Model, Schema } from 'mongoose';
import { type Repetition, repeat } from '../process/repeat.ts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import type { EventBus } from './event-bus.ts';

/** A document that tells what happened to it: state and events are one atomic write. */
export interface WithOutbox {
  outbox: Event[];
  /** When whoever comes by may send the events: they wait until then, or are held until then. Absent: none to send. */
  outboxDueAt?: Date | null;
  /** Who holds the whole outbox, to send it in its order. Absent: nobody. */
  outboxClaim?: string | null;
  /** How often sending failed since an event last went out. */
  outboxAttempts?: number | null;
  /** A tombstone: the document goes once its events are out. */
  deletedAt?: Date | null;
}

/** How long the writer of an event, or whoever holds an outbox, has for sending before others may. */
const defaultLeaseMs = 10_000;
const longestPauseMs = 60_000;
const sweepEveryMs = 2_000;
const measureEveryMs = 5_000;
const batch = 100;
const atOnce = 10;

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
  schema.add({
    outbox: [event],
    outboxDueAt: Date,
    outboxClaim: String,
    outboxAttempts: Number,
    deletedAt: Date,
  });
  schema.index({ outboxDueAt: 1 }, { sparse: true });
}

interface Update {
  $set?: Record<string, unknown>;
  $push?: Record<string, unknown>;
}

/**
 * An update that also appends events to the document's outbox. Events that wait there already become due no later for
 * it, and whoever holds them goes on with these.
 */
export const withEvents = <U extends Update>(update: U, events: Event[]) => ({
  ...update,
  $min: { outboxDueAt: due(defaultLeaseMs) },
  $push: { ...update.$push, outbox: { $each: events } },
});

/** The outbox in the documents of one collection. */
export interface Outbox<T extends { _id: unknown }> {
  /** Inserts a document with the events that tell of it, and sends them: with their removal two commands to the store. */
  create(document: Pick<T, '_id'> & Omit<T, keyof WithOutbox>, events: Event[]): Promise<void>;
  /**
   * Sends what an update (`withEvents`) has just put into a document's outbox, after all that waits there: with the update
   * three commands to the store, as the outbox has to be claimed first.
   */
  send(id: T['_id']): void;
}

/** All outboxes of a service. */
export interface Outboxes {
  /** The outbox of a model's documents, which from now on is seen to. */
  of<T extends WithOutbox & { _id: unknown }>(model: Model<T>): Outbox<T>;
  /** Sends leftovers now and then every few seconds. */
  start(): void;
  /** Stops the sweep and waits for what is being sent. */
  stop(): Promise<void>;
  /** Whether no event of this service waits in any outbox. */
  empty(): Promise<boolean>;
}

export interface OutboxOptions {
  bus: Pick<EventBus, 'publish' | 'ready'>;
  logger: Logger;
  leaseMs?: number;
}

type Outboxed = Model<WithOutbox>;

/** A document whose outbox this instance has claimed. */
interface Held {
  model: Outboxed;
  id: unknown;
  claim: string;
  events: Event[];
  deleted: boolean;
  attempts: number;
}

/**
 * Publishes events from the documents they were written into, at least once. An outbox is free, or held by one instance
 * until its lease ends; the holder publishes what is in it from the first event on, waits for each, takes out exactly what
 * it sent, and lets go when nothing is left. As everybody begins with the oldest event, no event overtakes one before it
 * for the first time, even where a holder outlives its lease and two of them send the same.
 */
export function createOutboxes({ bus, logger, leaseMs = defaultLeaseMs }: OutboxOptions): Outboxes {
  const models = new Map<string, Outboxed>();
  const sending = new Map<string, { again: boolean; done: Promise<void> }>();
  let repetitions: Repetition[] = [];

  /** Claims an outbox with something in it that nobody holds, or whose holder's time is over. */
  const claim = async (model: Outboxed, id: unknown, free: object): Promise<Held | undefined> => {
    const claim = randomUUID();
    const found = await model
      .findOneAndUpdate(
        { _id: id, ...free },
        { $set: { outboxClaim: claim, outboxDueAt: due(leaseMs) } },
        { returnDocument: 'after', projection: { outbox: 1, outboxAttempts: 1, deletedAt: 1 } },
      )
      .lean();
    if (!found) return undefined;
    const { outbox: events, outboxAttempts, deletedAt } = found;
    return { model, id, claim, events, deleted: !!deletedAt, attempts: outboxAttempts ?? 0 };
  };

  /** A bus that neither takes nor refuses an event holds up nobody for longer than this. */
  const publishInTime = async (event: Event): Promise<void> => {
    const tooLate = new AbortController();
    const timeout = async () => {
      await pause(leaseMs / 2, undefined, { signal: tooLate.signal });
      throw new Error(`the bus did not answer for ${event.name} in ${leaseMs / 2} ms`);
    };
    try {
      await Promise.race([bus.publish(event), timeout()]);
    } finally {
      tooLate.abort();
    }
  };

  /** Publishes in order, as far as it gets in the first half of the lease; the other half is for the last one's answer. */
  const publish = async (events: Event[]): Promise<{ sent: Event[]; error?: unknown }> => {
    const end = Date.now() + leaseMs / 2;
    const sent: Event[] = [];
    for (const event of events) {
      try {
        await publishInTime(event);
      } catch (error) {
        return { sent, error };
      }
      sent.push(event);
      if (Date.now() > end) break;
    }
    return { sent };
  };

  const idsOf = (events: Event[]) => events.map(({ id }) => id);
  const without = (sent: Event[]) => ({ outbox: { id: { $in: idsOf(sent) } } });

  /** Takes out what was sent, and lets go if that was all. Answers what is there still, held on. */
  const remove = async (held: Held, sent: Event[]): Promise<Held | undefined> => {
    const { model, id, claim } = held;
    const holding = { _id: id, outboxClaim: claim };
    const nothingElse = {
      ...holding,
      outbox: { $size: sent.length },
      ...(sent.length && { 'outbox.id': { $all: idsOf(sent) } }),
    };
    if (held.deleted) {
      const { deletedCount } = await model.deleteOne(nothingElse);
      if (deletedCount) return undefined;
    } else {
      const { matchedCount } = await model.updateOne(
        { ...nothingElse, deletedAt: null },
        { $set: { outbox: [] }, $unset: { outboxDueAt: 1, outboxClaim: 1, outboxAttempts: 1 } },
      );
      if (matchedCount) return undefined;
    }
    // More was written meanwhile, or it was deleted; or another one holds it by now, and goes on.
    const left = await model
      .findOneAndUpdate(
        holding,
        { $pull: without(sent), $set: { outboxDueAt: due(leaseMs) }, $unset: { outboxAttempts: 1 } },
        { returnDocument: 'after', projection: { outbox: 1, deletedAt: 1 } },
      )
      .lean();
    return left ? { ...held, events: left.outbox, deleted: !!left.deletedAt, attempts: 0 } : undefined;
  };

  /** Lets go of what the bus did not take, for longer and longer. */
  const putOff = async ({ model, id, claim, attempts }: Held, sent: Event[], error: unknown) => {
    const failures = sent.length ? 1 : attempts + 1;
    const pauseMs = Math.min(longestPauseMs, 1_000 * 2 ** (failures - 1));
    metrics.outboxFailures.inc({ collection: model.collection.name });
    logger.warn({ err: error, collection: model.collection.name, id }, 'events wait in an outbox');
    await model.updateOne(
      { _id: id, outboxClaim: claim },
      {
        $pull: without(sent),
        $set: { outboxDueAt: due(pauseMs), outboxAttempts: failures },
        $unset: { outboxClaim: 1 },
      },
    );
  };

  const sendHeld = async (claimed: Held | undefined): Promise<void> => {
    for (let held = claimed; held; ) {
      const { sent, error } = await publish(held.events);
      if (error !== undefined) return putOff(held, sent, error);
      held = await remove(held, sent);
    }
  };

  const sendFree = async (model: Outboxed, id: unknown) =>
    sendHeld(
      await claim(model, id, {
        outboxDueAt: { $type: 'date' },
        $or: [{ outboxClaim: null }, { outboxDueAt: { $lte: new Date() } }],
      }),
    );

  /** What the store refuses is claimed by somebody else when the lease has ended. */
  const warn = (model: Outboxed) => (error: unknown) =>
    logger.warn({ err: error, collection: model.collection.name }, 'an outbox could not be seen to');

  /** One at a time of each document; what is asked for meanwhile is one more look after it. */
  const sendOf = (model: Outboxed, id: unknown, first: () => Promise<void>) => {
    const key = `${model.collection.name}/${String(id)}`;
    const running = sending.get(key);
    if (running) {
      running.again = true;
      return;
    }
    const state = { again: false, done: Promise.resolve() };
    const untilNobodyAsks = async () => {
      await first().catch(warn(model));
      while (state.again) {
        state.again = false;
        await sendFree(model, id).catch(warn(model));
      }
      sending.delete(key);
    };
    sending.set(key, state);
    state.done = untilNobodyAsks();
  };

  const sweep = async (model: Outboxed, stopping: AbortSignal) => {
    let found: number;
    do {
      // Claims that come to nothing would only keep the store from its work.
      if (!bus.ready()) return;
      const isDue = { outboxDueAt: { $lte: new Date() } };
      const leftovers = await model.find(isDue, { _id: 1 }).sort({ outboxDueAt: 1 }).limit(batch).lean();
      found = leftovers.length;
      const left = leftovers.values();
      const work = async () => {
        for (const { _id } of left) await sendHeld(await claim(model, _id, isDue));
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    } while (found === batch && !stopping.aborted);
  };

  /** How old the oldest event is, however often it was tried and whoever holds it. */
  const measure = async (model: Outboxed) => {
    const [oldest] = await model.aggregate<{ occurredAt: string | null }>([
      { $match: { outboxDueAt: { $type: 'date' } } },
      { $group: { _id: null, occurredAt: { $min: { $arrayElemAt: ['$outbox.occurredAt', 0] } } } },
    ]);
    const ageMs = oldest?.occurredAt ? Date.now() - Date.parse(oldest.occurredAt) : 0;
    metrics.outboxOldest.set({ collection: model.collection.name }, ageMs / 1_000);
  };

  const forEach =
    (work: (model: Outboxed, stopping: AbortSignal) => Promise<void>) => async (stopping: AbortSignal) => {
      for (const model of models.values()) await work(model, stopping).catch(warn(model));
    };

  return {
    of<T extends WithOutbox & { _id: unknown }>(typed: Model<T>): Outbox<T> {
      // Of a model the outbox needs only what every document with an outbox has.
      const model = typed as unknown as Outboxed;
      models.set(model.collection.name, model);
      return {
        async create(document, events) {
          const claim = randomUUID();
          const claimed = { outbox: events, outboxClaim: claim, outboxDueAt: due(leaseMs) };
          await model.create({ ...document, ...claimed });
          const id = document._id;
          sendOf(model, id, () => sendHeld({ model, id, claim, events, deleted: false, attempts: 0 }));
        },
        send(id) {
          sendOf(model, id, () => sendFree(model, id));
        },
      };
    },
    start() {
      repetitions = [repeat(sweepEveryMs, forEach(sweep)), repeat(measureEveryMs, forEach(measure))];
    },
    async stop() {
      await Promise.all(repetitions.map((repetition) => repetition.stop()));
      while (sending.size) await Promise.all([...sending.values()].map(({ done }) => done));
    },
    async empty() {
      if (sending.size) return false;
      for (const model of models.values())
        if (await model.exists({ outboxDueAt: { $type: 'date' } })) return false;
      return true;
    },
  };
}
