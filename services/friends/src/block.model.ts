import { addOutbox, type WithOutbox } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** A block of one person by another, or a lifted one. */
export interface BlockDocument extends WithOutbox {
  _id: number;
  userId: number;
  blockedId: number;
  /** A lifted block is kept, so that its version continues. */
  active: boolean;
  version: number;
}

const schema = new Schema<BlockDocument>({
  _id: { type: Number, required: true },
  userId: { type: Number, required: true },
  blockedId: { type: Number, required: true },
  active: { type: Boolean, required: true },
  version: { type: Number, required: true },
});
addOutbox(schema);
schema.set('shardKey', { userId: 'hashed' });
schema.index({ userId: 1, blockedId: 1 }, { unique: true });
schema.index({ blockedId: 1 });

export const blockModel = (connection: Connection) =>
  connection.model<BlockDocument>('Block', schema, 'blocks');
