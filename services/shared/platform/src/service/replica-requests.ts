import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@wayquest/contracts';
import { type Connection, type Model, Schema } from 'mongoose';
import { newEvent } from '../bus/event-bus.ts';
import { addOutbox, type WithOutbox } from '../store/outbox-document.ts';

interface ReplicaRequestDocument extends WithOutbox {
  _id: string;
}

const schema = new Schema<ReplicaRequestDocument>({ _id: { type: String, required: true } });
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });

/** Rebuild requests of a service: stored in its own database, published by its own outbox. */
export const replicaRequestModel = (connection: Connection): Model<ReplicaRequestDocument> =>
  connection.model<ReplicaRequestDocument>('ReplicaRequest', schema, 'replica_requests');

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
