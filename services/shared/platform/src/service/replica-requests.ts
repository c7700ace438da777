import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@wayquest/contracts';
import { type Connection, type Model, Schema } from 'mongoose';
import { newEvent } from '../bus/event-bus.ts';
import { addOutbox, type WithOutbox } from '../bus/outbox-document.ts';

interface ReplicaRequestDocument extends WithOutbox {
  _id: string;
}

const schema = new Schema<ReplicaRequestDocument>({ _id: { type: String, required: true } });
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });

/** Wishes of a service for what the others know: in its own store, sent by its own outbox, on whichever bus. */
export const replicaRequestModel = (connection: Connection): Model<ReplicaRequestDocument> =>
  connection.model<ReplicaRequestDocument>('ReplicaRequest', schema, 'replica_requests');

/** Leaves the wish in a service's store; the running service sends it within seconds. */
export async function requestReplicas(connection: Connection, service: ServiceName): Promise<void> {
  await replicaRequestModel(connection).create({
    _id: randomUUID(),
    outbox: [newEvent('replica.requested.v1', { service })],
    outboxDueAt: new Date(),
    // It goes when it is sent.
    deletedAt: new Date(),
  });
}
