import type { Event, ServiceName } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';
import { upsert } from '../store/mongo.ts';
import type { EventFilter } from './event-bus.ts';

/** A delivery of the in-process bus that failed. */
export interface FailedDelivery {
  service: ServiceName;
  event: Event;
  /** Number of failed attempts. */
  attempt: number;
  /** Error of the last attempt. */
  reason: string;
  /** Time of the next attempt; null for a dead letter. */
  dueAt: Date | null;
}

/** Failed deliveries of the in-process bus, which has no broker to store them. */
export interface FailedDeliveries {
  /** Stores a delivery, and replaces an earlier state of it; resolves when it is durable. */
  save(delivery: FailedDelivery): Promise<void>;
  delete(delivery: FailedDelivery): Promise<void>;
  /** Erases the selected deliveries, dead letters and those with another attempt to come. */
  erase(service: ServiceName, filter: EventFilter): Promise<void>;
  /** A batch of deliveries due for a retry, most overdue first. */
  findDue(services: ServiceName[], by: Date): Promise<FailedDelivery[]>;
  /** Number of deliveries with another attempt to come. */
  countPending(services: ServiceName[]): Promise<number>;
}

interface FailedDeliveryDocument extends FailedDelivery {
  /** `<service>/<event's id>` */
  _id: string;
}

const schema = new Schema<FailedDeliveryDocument>({
  _id: { type: String, required: true },
  service: { type: String, required: true },
  event: { type: Schema.Types.Mixed, required: true },
  attempt: { type: Number, required: true },
  reason: { type: String, required: true },
  dueAt: Date,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ service: 1, dueAt: 1 });

const batch = 100;

export const failedDeliveryModel = (connection: Connection) =>
  connection.model<FailedDeliveryDocument>('FailedDelivery', schema, 'failed_deliveries');

const idOf = ({ service, event }: FailedDelivery) => `${service}/${event.id}`;

/** Stores failed deliveries in the bus's own database. */
export function createFailedDeliveries(connection: Connection): FailedDeliveries {
  const Failed = failedDeliveryModel(connection);
  return {
    async save(delivery) {
      // The store would turn undefined into null, which contracts reject.
      const event = JSON.parse(JSON.stringify(delivery.event));
      await upsert(Failed, { _id: idOf(delivery) }, { $set: { ...delivery, event } });
    },
    async delete(delivery) {
      await Failed.deleteOne({ _id: idOf(delivery) });
    },
    async erase(service, filter) {
      for await (const { _id, event } of Failed.find({ service }).lean().cursor())
        if (await filter(event)) await Failed.deleteOne({ _id });
    },
    findDue: (services, by) =>
      Failed.find({ service: { $in: services }, dueAt: { $lte: by } })
        .sort({ dueAt: 1 })
        .limit(batch)
        .lean(),
    countPending: (services) =>
      Failed.countDocuments({ service: { $in: services }, dueAt: { $type: 'date' } }),
  };
}
