import { addOutbox, type WithOutbox } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** How far the gathering of all that is held of a person is. */
export interface ArchiveDocument extends WithOutbox {
  /** The person's id. */
  _id: number;
  /** Each gathering has its own. */
  run: string;
  state: 'preparing' | 'ready' | 'failed';
  /** Whoever gathers has to have gone on by then: it is gathered by one instance, in the name of the person's token. */
  leaseUntil: Date;
  readyAt?: Date | null;
  size: number;
  /** Whom it names: it goes with each of them. Older versions did not keep them. */
  people?: number[];
  /** What the call that asked for it is known again by. */
  idempotencyKey?: string | null;
  /** It goes then. */
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
  expiresAt: { type: Date, required: true },
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ people: 1 }, { sparse: true });
addOutbox(schema);

/** A piece of the file. */
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
