import type { Event } from '@wayquest/contracts';
import { Schema } from 'mongoose';
import { type Clock, systemClock } from '../process/clock.ts';

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
export const outboxLeaseMs = 10_000;

export const dueIn = (ms: number, clock: Pick<Clock, 'now'>): Date => new Date(clock.now() + ms);

/** Adds the outbox to a schema. */
export function addOutbox(schema: Schema): void {
  const event = new Schema(
    {
      id: { type: String, required: true },
      name: { type: String, required: true },
      occurredAt: { type: String, required: true },
      requestId: String,
      traceparent: String,
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
 *
 * @param clock - That of the outboxes: when the events become due.
 */
export const withEvents = <U extends Update>(
  update: U,
  events: Event[],
  clock: Pick<Clock, 'now'> = systemClock,
) => ({
  ...update,
  $min: { outboxDueAt: dueIn(outboxLeaseMs, clock) },
  $push: { ...update.$push, outbox: { $each: events } },
});
