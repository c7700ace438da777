import { randomUUID } from 'node:crypto';
import type { Event } from '@wayquest/contracts';
import type { Model } from 'mongoose';
import { createBatcher } from '../async/batcher.ts';
import type { Clock } from '../async/clock.ts';
import { withDeadline } from '../async/deadline.ts';
import { whileRenewing } from '../async/lease.ts';
import { type EventBus, eventToContract } from '../bus/event-bus.ts';
import { SubscriberUnavailableError } from '../core/unavailable.ts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import { startSpan } from '../telemetry/tracing.ts';
import { dueIn, type WithOutbox } from './outbox-document.ts';

const maxBackoffMs = 60_000;
/** How many leases `onRelay` may take before the attempt fails; its commands to the store have deadlines of their own. */
const leasesForOnRelay = 3;
/** Failed attempts in a row before a warning: after a stall, or on a busy machine, a later attempt succeeds. */
const attemptsBeforeWarning = 3;

export type OutboxModel = Model<WithOutbox>;

/** A registered collection whose documents have an outbox. */
export interface OutboxCollection {
  model: OutboxModel;
  /** Whether the last sweep found events, due or not. */
  pending: boolean;
  onRelay?: ((event: Event) => Promise<void>) | undefined;
  /** Empties and releases an outbox whose only event was published. Returns whether it was the only one. */
  clearSingle: (claimed: Pick<ClaimedOutbox, 'id' | 'claim'>) => Promise<boolean>;
}

/** A document's outbox, claimed by this instance. */
export interface ClaimedOutbox {
  collection: OutboxCollection;
  id: unknown;
  claim: string;
  events: Event[];
  deleted: boolean;
  attempts: number;
}

/** Claims and relays single outboxes. */
export interface OutboxRelay {
  /** The end of a lease that begins now. */
  leaseEnd(): Date;
  /** Claims an outbox with events that is unclaimed, or whose lease has ended. */
  claim(collection: OutboxCollection, id: unknown, claimable: object): Promise<ClaimedOutbox | undefined>;
  /**
   * Publishes the events of a claimed outbox and removes them, until none is left or one cannot be published; then the outbox
   * is released and due again after a growing back-off.
   */
  relay(claimed: ClaimedOutbox | undefined): Promise<void>;
  /** Creates the command that empties outboxes of a collection, one for all that become empty while it runs. */
  createClearSingle(model: OutboxModel): OutboxCollection['clearSingle'];
}

/** Creates the relay of a service's outboxes; `createOutboxes` describes the states of an outbox. */
export function createOutboxRelay({
  bus,
  logger,
  service,
  leaseMs,
  clock,
}: {
  bus: Pick<EventBus, 'publish'>;
  logger: Logger;
  /** The service's name in traces. */
  service: string;
  leaseMs: number;
  clock: Clock;
}): OutboxRelay {
  const leaseEnd = () => dueIn(leaseMs, clock);

  const claim = async (
    collection: OutboxCollection,
    id: unknown,
    claimable: object,
  ): Promise<ClaimedOutbox | undefined> => {
    const claim = randomUUID();
    const found = await collection.model
      .findOneAndUpdate(
        { _id: id, ...claimable },
        { $set: { outboxClaim: claim, outboxDueAt: leaseEnd() } },
        { returnDocument: 'after', projection: { outbox: 1, outboxAttempts: 1, deletedAt: 1 } },
      )
      .lean();
    if (!found) return undefined;
    const { outbox: events, outboxAttempts, deletedAt } = found;
    return { collection, id, claim, events, deleted: !!deletedAt, attempts: outboxAttempts ?? 0 };
  };

  /** Publishing takes as long as it takes, so the claim is renewed meanwhile. */
  const renewClaim = ({ collection: { model }, id, claim }: ClaimedOutbox) =>
    model
      .updateOne({ _id: id, outboxClaim: claim }, { $set: { outboxDueAt: leaseEnd() } })
      .catch((error: unknown) => {
        // Then another instance may publish it, too.
        logger.info({ err: error, collection: model.collection.name, id }, 'could not renew a claim');
      });

  /** Runs the service's own projection, with a timeout: the claim is renewed as long as it takes. */
  const project = ({ onRelay }: OutboxCollection, event: Event) =>
    onRelay &&
    withDeadline(
      // It may have been written by the previous version.
      onRelay(eventToContract(event)),
      leasesForOnRelay * leaseMs,
      () => new Error(`the projection of ${event.name} took too long`),
    );

  /**
   * Publishes an event. The bus decides how long to wait for its own confirmation: that a machine is slow is no reason to
   * publish again, which would only slow it down further.
   */
  const publishOne = async (claimed: ClaimedOutbox, stored: Event): Promise<void> => {
    const { name, traceparent: parent } = stored;
    const span = parent
      ? startSpan({ service, kind: 'producer', name: `publish ${name}`, parent })
      : undefined;
    const event = span ? { ...stored, traceparent: span.traceparent } : stored;
    try {
      await whileRenewing({ everyMs: leaseMs / 2, clock, renew: () => renewClaim(claimed) }, () =>
        Promise.all([bus.publish(event), project(claimed.collection, stored)]),
      );
      span?.end();
    } catch (failure) {
      span?.end({ failure });
      throw failure;
    }
  };

  /** Publishes in order during the first half of the lease, and at least one event. */
  const publish = async (claimed: ClaimedOutbox): Promise<{ sent: Event[]; error?: unknown }> => {
    const end = clock.now() + leaseMs / 2;
    const sent: Event[] = [];
    for (const event of claimed.events) {
      try {
        await publishOne(claimed, event);
      } catch (error) {
        return { sent, error };
      }
      sent.push(event);
      if (clock.now() > end) break;
    }
    return { sent };
  };

  const idsOf = (events: Event[]) => events.map(({ id }) => id);
  const pullSent = (sent: Event[]) => ({ outbox: { id: { $in: idsOf(sent) } } });

  const clearOutbox = {
    $set: { outbox: [] },
    $unset: { outboxDueAt: 1, outboxClaim: 1, outboxAttempts: 1 },
  } as const;

  const createClearSingle = (model: OutboxModel) =>
    createBatcher<Pick<ClaimedOutbox, 'id' | 'claim'>, boolean>(async (batch) => {
      const { matchedCount } = await model.updateMany(
        {
          _id: { $in: batch.map(({ item }) => item.id) },
          outboxClaim: { $in: batch.map(({ item }) => item.claim) },
          outbox: { $size: 1 },
          deletedAt: null,
        },
        clearOutbox,
      );
      for (const { resolve } of batch) resolve(matchedCount === batch.length);
    });

  /** Removes the published events and releases the outbox if none is left. Returns the rest, still claimed. */
  const removeSent = async (claimed: ClaimedOutbox, sent: Event[]): Promise<ClaimedOutbox | undefined> => {
    const { collection, id, claim } = claimed;
    const { model } = collection;
    if (!claimed.deleted && sent.length === 1 && (await collection.clearSingle(claimed))) return undefined;
    const ownClaim = { _id: id, outboxClaim: claim };
    const unchangedOutbox = {
      ...ownClaim,
      outbox: { $size: sent.length },
      ...(sent.length && { 'outbox.id': { $all: idsOf(sent) } }),
    };
    if (claimed.deleted) {
      const { deletedCount } = await model.deleteOne(unchangedOutbox);
      if (deletedCount) return undefined;
    } else {
      const { matchedCount } = await model.updateOne({ ...unchangedOutbox, deletedAt: null }, clearOutbox);
      if (matchedCount) return undefined;
    }
    // More events were written meanwhile, or it was deleted; or another instance has claimed it.
    const remaining = await model
      .findOneAndUpdate(
        ownClaim,
        { $pull: pullSent(sent), $set: { outboxDueAt: leaseEnd() }, $unset: { outboxAttempts: 1 } },
        { returnDocument: 'after', projection: { outbox: 1, deletedAt: 1 } },
      )
      .lean();
    return remaining
      ? { ...claimed, events: remaining.outbox, deleted: !!remaining.deletedAt, attempts: 0 }
      : undefined;
  };

  /** Releases an outbox whose event could not be published; due again after a growing back-off. */
  const reschedule = async (
    { collection: { model }, id, claim, attempts }: ClaimedOutbox,
    sent: Event[],
    error: unknown,
  ) => {
    const failures = sent.length ? 1 : attempts + 1;
    const pauseMs = Math.min(maxBackoffMs, 1_000 * 2 ** (failures - 1));
    if (error instanceof SubscriberUnavailableError) {
      logger.info({ collection: model.collection.name, id }, error.message);
    } else {
      metrics.outboxFailures.inc({ collection: model.collection.name });
      logger[failures < attemptsBeforeWarning ? 'info' : 'warn'](
        { err: error, collection: model.collection.name, id },
        'could not publish events; they stay in the outbox',
      );
    }
    await model.updateOne(
      { _id: id, outboxClaim: claim },
      {
        $pull: pullSent(sent),
        $set: { outboxDueAt: dueIn(pauseMs, clock), outboxAttempts: failures },
        $unset: { outboxClaim: 1 },
      },
    );
  };

  const relay = async (first: ClaimedOutbox | undefined): Promise<void> => {
    for (let claimed = first; claimed; ) {
      const { sent, error } = await publish(claimed);
      if (error !== undefined) return reschedule(claimed, sent, error);
      claimed = await removeSent(claimed, sent);
    }
  };

  return { leaseEnd, claim, relay, createClearSingle };
}
