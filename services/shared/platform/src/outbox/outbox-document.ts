import type { Event } from '@wayquest/contracts';
import { type Model, Schema } from 'mongoose';
import { type Clock, systemClock } from '../async/clock.ts';

/** A document with an outbox: its state and its events are one atomic write. */
export interface WithOutbox {
  outbox: Event[];
  /** Unclaimed: earliest time the relay may send. Claimed: when the lease expires. `null` or absent: the outbox is empty. */
  outboxDueAt?: Date | null;
  /** Id of the claim on the whole outbox. Absent: unclaimed. */
  outboxClaim?: string | null;
  /** Failures since an event was last published. */
  outboxAttempts?: number | null;
  /** A tombstone: the document is deleted once its events are published. */
  deletedAt?: Date | null;
}

/** Lease: how long the writer of an event, or the claimant of an outbox, has before another instance may relay it. */
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
 * Adds events for the document's outbox to an update. Earlier events become due no later; a relay that has claimed the
 * outbox continues with the new ones.
 *
 * @param clock - The clock of the outboxes, for when the events become due.
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

/**
 * Makes an unclaimed outbox with events due at once: for a command of the operator, which leaves them to the service and must
 * not make it wait for the end of a lease.
 */
export async function makeDue<T extends WithOutbox & { _id: unknown }>(
  model: Model<T>,
  _id: T['_id'],
): Promise<void> {
  await model.updateOne(
    { _id, outboxDueAt: { $type: 'date' }, outboxClaim: null },
    { $set: { outboxDueAt: new Date() } },
  );
}
