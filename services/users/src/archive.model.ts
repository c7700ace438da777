import { addOutbox, type WithOutbox } from '@wayquest/platform/outbox';
import { type Connection, Schema } from 'mongoose';

/** State of a user's data archive. */
export interface ArchiveDocument extends WithOutbox {
  /** The user's id. */
  _id: number;
  /** Id of the run that creates it. */
  run: string;
  state: 'preparing' | 'ready' | 'failed';
  /** End of the lease of the instance that creates it with the user's token, or has it in its queue. */
  leaseUntil: Date;
  readyAt?: Date | null;
  size: number;
  /** Users that it names: deleted with each of them. Absent in older versions. */
  people?: number[];
  /** Idempotency key of the call that requested it. */
  idempotencyKey?: string | null;
  /** The newest address to download it by: SHA-256 of its key, so that the store alone opens nothing. */
  address?: { keyHash: string; until: Date } | null;
  /** When it is deleted. */
  expiresAt: Date;
}

const schema = new Schema<ArchiveDocument>({
  _id: { type: Number, required: true },
  run: { type: String, required: true },
  state: { type: String, required: true },
  leaseUntil: { type: Date, required: true },
  readyAt: Date,
  size: { type: Number, required: true },
  people: { type: [Number], default: undefined },
  idempotencyKey: String,
  address: { type: new Schema({ keyHash: String, until: Date }, { _id: false }), default: null },
  expiresAt: { type: Date, required: true },
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ people: 1 }, { sparse: true });
schema.index({ state: 1, leaseUntil: 1 });
addOutbox(schema);

/** A part of the file. */
interface ArchivePartDocument {
  /** `<run>:<n>` */
  _id: string;
  userId: number;
  data: Buffer;
  expiresAt: Date;
}

const partSchema = new Schema<ArchivePartDocument>({
  _id: { type: String, required: true },
  userId: { type: Number, required: true },
  data: { type: Buffer, required: true },
  expiresAt: { type: Date, required: true },
});
partSchema.set('shardKey', { _id: 'hashed' });
partSchema.index({ userId: 1 });
partSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const archiveModel = (connection: Connection) =>
  connection.model<ArchiveDocument>('Archive', schema, 'archives');

export const archivePartModel = (connection: Connection) =>
  connection.model<ArchivePartDocument>('ArchivePart', partSchema, 'archive_parts');
