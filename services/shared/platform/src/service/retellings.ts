import {
  type Event,
  type EventData,
  type EventName,
  type ServiceName,
  serviceNames,
  subscriptions,
} from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';
import { type EventBus, newEvent } from '../bus/event-bus.ts';
import type { Clock } from '../process/clock.ts';
import { type PeriodicTask, startPeriodicTask } from '../process/periodic-task.ts';
import { isDuplicateKey } from '../store/races.ts';
import type { Logger } from '../telemetry/logging.ts';

/** One thing that a service owns, as the events that tell of it now. */
export interface Told {
  id: number;
  events: Event[];
}

/** Tells all that a service owns, in the order of ids, from the one after `after` on. */
export type Retell = (after: number) => AsyncIterable<Told>;

interface RetellingDocument {
  /** The service that asked. */
  _id: string;
  /** Its request. */
  run: string;
  /** What was heard since then is newer than what is told. */
  since: Date;
  /** The last id that was told. */
  position: number;
  /** When any instance may go on with it. */
  dueAt: Date;
}

const schema = new Schema<RetellingDocument>({
  _id: { type: String, required: true },
  run: { type: String, required: true },
  since: { type: Date, required: true },
  position: { type: Number, required: true },
  dueAt: { type: Date, required: true },
}).index({ dueAt: 1 });
schema.set('shardKey', { _id: 'hashed' });

/** More than the clocks of a service's instances differ. */
const clocksDifferMs = 2_000;
const leaseMs = 30_000;
const pauseMs = 5_000;
const lookEveryMs = 1_000;
/** Of what another instance was asked, or left behind when it died. */
const idleLookMs = 30_000;
/** How many things are told before it is noted how far it got. */
const page = 100;

export interface RetellingOptions {
  name: ServiceName;
  connection: Connection;
  bus: EventBus;
  logger: Logger;
  retell: Retell;
  clock: Clock;
}

/**
 * What a service is asked to tell again, and how far it got with it: kept in its store, so that after a crash it, or
 * another instance, goes on where it was. At the end it says that this was all.
 */
export function createRetellings({ name, connection, bus, logger, retell, clock }: RetellingOptions) {
  const Retellings = connection.model<RetellingDocument>('Retelling', schema, 'retellings');
  let repetition: PeriodicTask | undefined;

  /** Answers whether it came to its end. */
  const tell = async (
    { _id, run, since, position }: RetellingDocument,
    stopping: AbortSignal,
  ): Promise<void> => {
    const to = serviceNames.find((service) => service === _id);
    const wanted: readonly EventName[] = to ? subscriptions[to] : [];
    const publish = async (events: Event[]) => {
      const told = events.filter((event) => wanted.includes(event.name));
      await Promise.all(
        told.map((event) => bus.publish({ ...event, replayed: since.toISOString() }, to ? { to } : {})),
      );
    };

    let waiting: Told[] = [];
    const note = async () => {
      await publish(waiting.flatMap(({ events }) => events));
      const position = waiting.at(-1)?.id;
      waiting = [];
      const { matchedCount } = await Retellings.updateOne(
        { _id, run },
        { $set: { ...(position !== undefined && { position }), dueAt: new Date(clock.now() + leaseMs) } },
      );
      return matchedCount > 0;
    };

    for await (const told of retell(position)) {
      waiting.push(told);
      if (waiting.length < page) continue;
      // Asked for anew, or the service stops.
      if (!(await note()) || stopping.aborted) return;
    }
    if (!(await note())) return;
    await publish([newEvent('replica.told.v1', { owner: name, since: since.toISOString() }, clock)]);
    await Retellings.deleteOne({ _id, run });
  };

  const work = async (stopping: AbortSignal) => {
    while (!stopping.aborted) {
      const retelling = await Retellings.findOneAndUpdate(
        { dueAt: { $lte: new Date(clock.now()) } },
        { $set: { dueAt: new Date(clock.now() + leaseMs) } },
        { returnDocument: 'after' },
      ).lean();
      if (!retelling) return (await none()) ? 'idle' : undefined;
      const { _id, run } = retelling;
      try {
        await tell(retelling, stopping);
      } catch (error) {
        logger.warn({ err: error, to: _id }, 'what is so could not be told');
        await Retellings.updateOne({ _id, run }, { $set: { dueAt: new Date(clock.now() + pauseMs) } });
      }
    }
  };

  const none = async () => (await Retellings.exists({})) === null;

  return {
    /** Notes the wish; the same one again changes nothing. */
    async request({ service }: EventData<'replica.requested.v1'>, run: string): Promise<void> {
      const now = clock.now();
      try {
        await Retellings.updateOne(
          { _id: service, run: { $ne: run } },
          // First everything is written whose writer's clock says that it was before.
          { $set: { run, since: new Date(now), position: 0, dueAt: new Date(now + clocksDifferMs) } },
          { upsert: true },
        );
        repetition?.wake();
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    start(): void {
      repetition = startPeriodicTask(
        lookEveryMs,
        (stopping) =>
          work(stopping).catch((error) =>
            logger.warn({ err: error }, 'what is to be told could not be seen'),
          ),
        { idleMs: idleLookMs, clock },
      );
    },

    async stop(): Promise<void> {
      await repetition?.stop();
    },

    none,
  };
}
