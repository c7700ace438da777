import { randomUUID } from 'node:crypto';
import type { Event } from '@wayquest/contracts';
import type { Model } from 'mongoose';
import { createBatcher } from '../process/batcher.ts';
import { type Clock, systemClock } from '../process/clock.ts';
import { type PeriodicTask, startPeriodicTask } from '../process/periodic-task.ts';
import { insertOrdered } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import { beginStep } from '../telemetry/tracing.ts';
import type { EventBus } from './event-bus.ts';
import { dueIn, outboxLeaseMs, type WithOutbox } from './outbox-document.ts';
import { SubscriberUnavailableError } from './unavailable.ts';

const longestPauseMs = 60_000;
const sweepEveryMs = 2_000;
/** Where nothing has waited for a while, only what an instance left behind that died, or wrote from outside, can. */
const idleSweepMs = 20_000;
const measureEveryMs = 5_000;
const batch = 100;
const atOnce = 10;

/** A document before it has an outbox. */
type Unsent<T extends { _id: unknown }> = Pick<T, '_id'> & Omit<T, keyof WithOutbox>;

/** The outbox in the documents of one collection. */
export interface Outbox<T extends { _id: unknown }> {
  /** Inserts a document with the events that tell of it, and sends them: with their removal two commands to the store. */
  create(document: Unsent<T>, events: Event[]): Promise<void>;
  /**
   * Inserts documents in their order, until the store refuses one, and sends the events of those that are in: all together
   * take two commands as well. Answers how many are in, and why the next one is not.
   */
  createInOrder(
    told: { document: Unsent<T>; events: Event[] }[],
  ): Promise<{ inserted: number; error?: unknown }>;
  /**
   * Sends what an update (`withEvents`) has just put into a document's outbox, after all that waits there: with the update
   * three commands to the store, as the outbox has to be claimed first.
   */
  send(id: T['_id']): void;
}

/** All outboxes of a service. */
export interface Outboxes {
  /**
   * The outbox of a model's documents, which from now on is seen to. `alongside` is what the service itself keeps by these
   * events: it is done while they are sent, at least once, in any order between documents.
   */
  of<T extends WithOutbox & { _id: unknown }>(
    model: Model<T>,
    options?: { alongside?: (event: Event) => Promise<void> },
  ): Outbox<T>;
  /** Sends leftovers now and then every few seconds, and seldom where there were none for a while. */
  start(): void;
  /** Stops the sweep and waits for what is being sent. */
  stop(): Promise<void>;
  /** Whether no event of this service waits in any outbox. */
  empty(): Promise<boolean>;
}

export interface OutboxOptions {
  bus: Pick<EventBus, 'publish' | 'ready'>;
  logger: Logger;
  /** Whose outboxes they are, in traces. */
  service?: string;
  leaseMs?: number;
  clock?: Clock;
}

type Outboxed = Model<WithOutbox>;

/** A model whose documents' outboxes are seen to. */
interface Kind {
  model: Outboxed;
  /** Whether something waited there at the last look, due or not. */
  waiting: boolean;
  alongside: (event: Event) => Promise<void>;
  /** Lets go of an outbox whose only event was sent. Answers whether it was the only one. */
  removeOnly: (held: Pick<Held, 'id' | 'claim'>) => Promise<boolean>;
}

/** A document whose outbox this instance has claimed. */
interface Held {
  kind: Kind;
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
export function createOutboxes({
  bus,
  logger,
  service = 'outbox',
  leaseMs = outboxLeaseMs,
  clock = systemClock,
}: OutboxOptions): Outboxes {
  const kinds = new Map<string, Kind>();
  const leaseEnd = () => dueIn(leaseMs, clock);
  const sending = new Map<string, { again: boolean; done: Promise<void> }>();
  let sweeping: PeriodicTask | undefined;
  let measuring: PeriodicTask | undefined;

  /** Claims an outbox with something in it that nobody holds, or whose holder's time is over. */
  const claim = async (kind: Kind, id: unknown, free: object): Promise<Held | undefined> => {
    const claim = randomUUID();
    const found = await kind.model
      .findOneAndUpdate(
        { _id: id, ...free },
        { $set: { outboxClaim: claim, outboxDueAt: leaseEnd() } },
        { returnDocument: 'after', projection: { outbox: 1, outboxAttempts: 1, deletedAt: 1 } },
      )
      .lean();
    if (!found) return undefined;
    const { outbox: events, outboxAttempts, deletedAt } = found;
    return { kind, id, claim, events, deleted: !!deletedAt, attempts: outboxAttempts ?? 0 };
  };

  /** A bus that neither takes nor refuses an event holds up nobody for longer than this. */
  const publishInTime = async (written: Event): Promise<void> => {
    const { name, traceparent: parent } = written;
    const step = parent
      ? beginStep({ service, kind: 'producer', name: `publish ${name}`, parent })
      : undefined;
    const event = step ? { ...written, traceparent: step.traceparent } : written;
    const tooLate = new AbortController();
    const timeout = async () => {
      await clock.sleep(leaseMs / 2, tooLate.signal);
      throw new Error(`the bus did not answer for ${event.name} in ${leaseMs / 2} ms`);
    };
    try {
      await Promise.race([bus.publish(event), timeout()]);
      step?.end();
    } catch (failure) {
      step?.end({ failure });
      throw failure;
    } finally {
      tooLate.abort();
    }
  };

  /** Publishes in order, as far as it gets in the first half of the lease; the other half is for the last one's answer. */
  const publish = async ({ kind, events }: Held): Promise<{ sent: Event[]; error?: unknown }> => {
    const end = clock.now() + leaseMs / 2;
    const sent: Event[] = [];
    for (const event of events) {
      try {
        await Promise.all([publishInTime(event), kind.alongside(event)]);
      } catch (error) {
        return { sent, error };
      }
      sent.push(event);
      if (clock.now() > end) break;
    }
    return { sent };
  };

  const idsOf = (events: Event[]) => events.map(({ id }) => id);
  const without = (sent: Event[]) => ({ outbox: { id: { $in: idsOf(sent) } } });

  const emptied = {
    $set: { outbox: [] },
    $unset: { outboxDueAt: 1, outboxClaim: 1, outboxAttempts: 1 },
  } as const;

  /** One command for all that were sent while the one before was under way. */
  const removeOnlyIn = (model: Outboxed) =>
    createBatcher<Pick<Held, 'id' | 'claim'>, boolean>(async (asked) => {
      const { matchedCount } = await model.updateMany(
        {
          _id: { $in: asked.map(({ item }) => item.id) },
          outboxClaim: { $in: asked.map(({ item }) => item.claim) },
          outbox: { $size: 1 },
          deletedAt: null,
        },
        emptied,
      );
      for (const { resolve } of asked) resolve(matchedCount === asked.length);
    });

  /** Takes out what was sent, and lets go if that was all. Answers what is there still, held on. */
  const remove = async (held: Held, sent: Event[]): Promise<Held | undefined> => {
    const { kind, id, claim } = held;
    const { model } = kind;
    if (!held.deleted && sent.length === 1 && (await kind.removeOnly(held))) return undefined;
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
      const { matchedCount } = await model.updateOne({ ...nothingElse, deletedAt: null }, emptied);
      if (matchedCount) return undefined;
    }
    // More was written meanwhile, or it was deleted; or another one holds it by now, and goes on.
    const left = await model
      .findOneAndUpdate(
        holding,
        { $pull: without(sent), $set: { outboxDueAt: leaseEnd() }, $unset: { outboxAttempts: 1 } },
        { returnDocument: 'after', projection: { outbox: 1, deletedAt: 1 } },
      )
      .lean();
    return left ? { ...held, events: left.outbox, deleted: !!left.deletedAt, attempts: 0 } : undefined;
  };

  /** Lets go of what the bus did not take, for longer and longer. */
  const putOff = async ({ kind: { model }, id, claim, attempts }: Held, sent: Event[], error: unknown) => {
    const failures = sent.length ? 1 : attempts + 1;
    const pauseMs = Math.min(longestPauseMs, 1_000 * 2 ** (failures - 1));
    if (error instanceof SubscriberUnavailableError) {
      logger.info({ collection: model.collection.name, id }, error.message);
    } else {
      metrics.outboxFailures.inc({ collection: model.collection.name });
      logger.warn({ err: error, collection: model.collection.name, id }, 'events wait in an outbox');
    }
    await model.updateOne(
      { _id: id, outboxClaim: claim },
      {
        $pull: without(sent),
        $set: { outboxDueAt: dueIn(pauseMs, clock), outboxAttempts: failures },
        $unset: { outboxClaim: 1 },
      },
    );
  };

  const sendHeld = async (claimed: Held | undefined): Promise<void> => {
    for (let held = claimed; held; ) {
      const { sent, error } = await publish(held);
      if (error !== undefined) return putOff(held, sent, error);
      held = await remove(held, sent);
    }
  };

  const sendFree = async (kind: Kind, id: unknown) =>
    sendHeld(
      await claim(kind, id, {
        outboxDueAt: { $type: 'date' },
        $or: [{ outboxClaim: null }, { outboxDueAt: { $lte: new Date(clock.now()) } }],
      }),
    );

  /** What the store refuses is claimed by somebody else when the lease has ended. */
  const warn =
    ({ model }: Kind) =>
    (error: unknown) =>
      logger.warn({ err: error, collection: model.collection.name }, 'an outbox could not be seen to');

  /** One at a time of each document; what is asked for meanwhile is one more look after it. */
  const sendOf = (kind: Kind, id: unknown, first: () => Promise<void>) => {
    sweeping?.wake();
    const key = `${kind.model.collection.name}/${String(id)}`;
    const running = sending.get(key);
    if (running) {
      running.again = true;
      return;
    }
    const state = { again: false, done: Promise.resolve() };
    const untilNobodyAsks = async () => {
      await first().catch(warn(kind));
      while (state.again) {
        state.again = false;
        await sendFree(kind, id).catch(warn(kind));
      }
      sending.delete(key);
    };
    sending.set(key, state);
    state.done = untilNobodyAsks();
  };

  const sweep = async (kind: Kind, stopping: AbortSignal) => {
    const { model } = kind;
    let found: number;
    kind.waiting = true;
    do {
      // Claims that come to nothing would only keep the store from its work.
      if (!bus.ready()) return;
      const now = new Date(clock.now());
      const isDue = { outboxDueAt: { $lte: now } };
      const waiting = await model
        .find({ outboxDueAt: { $type: 'date' } }, { outboxDueAt: 1 })
        .sort({ outboxDueAt: 1 })
        .limit(batch)
        .lean();
      kind.waiting = waiting.length > 0;
      const leftovers = waiting.filter(({ outboxDueAt }) => outboxDueAt && outboxDueAt <= now);
      found = leftovers.length;
      const left = leftovers.values();
      const work = async () => {
        for (const { _id } of left) await sendHeld(await claim(kind, _id, isDue));
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    } while (found === batch && !stopping.aborted);
  };

  /** How old the oldest event is, however often it was tried and whoever holds it. */
  const measure = async ({ model, waiting }: Kind) => {
    const [oldest] = waiting
      ? await model.aggregate<{ occurredAt: string | null }>([
          { $match: { outboxDueAt: { $type: 'date' } } },
          { $group: { _id: null, occurredAt: { $min: { $arrayElemAt: ['$outbox.occurredAt', 0] } } } },
        ])
      : [];
    const ageMs = oldest?.occurredAt ? clock.now() - Date.parse(oldest.occurredAt) : 0;
    metrics.outboxOldest.set({ collection: model.collection.name }, ageMs / 1_000);
  };

  const forEach =
    (work: (kind: Kind, stopping: AbortSignal) => Promise<void>) => async (stopping: AbortSignal) => {
      for (const kind of kinds.values()) await work(kind, stopping).catch(warn(kind));
      return [...kinds.values()].some(({ waiting }) => waiting) ? undefined : 'idle';
    };

  return {
    of<T extends WithOutbox & { _id: unknown }>(
      typed: Model<T>,
      { alongside = async () => {} }: { alongside?: Kind['alongside'] } = {},
    ): Outbox<T> {
      // Of a model the outbox needs only what every document with an outbox has.
      const model = typed as unknown as Outboxed;
      const kind = { model, waiting: true, alongside, removeOnly: removeOnlyIn(model) };
      kinds.set(model.collection.name, kind);

      const claimed = (events: Event[], claim: string) => ({
        outbox: events,
        outboxClaim: claim,
        outboxDueAt: leaseEnd(),
      });
      const sendNew = (id: unknown, events: Event[], claim: string) =>
        sendOf(kind, id, () => sendHeld({ kind, id, claim, events, deleted: false, attempts: 0 }));

      return {
        async create(document, events) {
          const claim = randomUUID();
          await model.create({ ...document, ...claimed(events, claim) });
          sendNew(document._id, events, claim);
        },
        async createInOrder(told) {
          const claim = randomUUID();
          const answer = await insertOrdered(
            model,
            told.map(({ document, events }) => ({ ...document, ...claimed(events, claim) })),
          );
          for (const { document, events } of told.slice(0, answer.inserted))
            sendNew(document._id, events, claim);
          return answer;
        },
        send(id) {
          sendOf(kind, id, () => sendFree(kind, id));
        },
      };
    },
    start() {
      sweeping = startPeriodicTask(sweepEveryMs, forEach(sweep), { idleMs: idleSweepMs, clock });
      measuring = startPeriodicTask(measureEveryMs, forEach(measure), { clock });
    },
    async stop() {
      await Promise.all([sweeping?.stop(), measuring?.stop()]);
      while (sending.size) await Promise.all([...sending.values()].map(({ done }) => done));
    },
    async empty() {
      if (sending.size) return false;
      for (const { model } of kinds.values())
        if (await model.exists({ outboxDueAt: { $type: 'date' } })) {
          sweeping?.wake();
          return false;
        }
      return true;
    },
  };
}
