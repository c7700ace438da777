import { type Connection, Schema } from 'mongoose';

/** The photo of a completion, as it is served; a participation references it (ADR 49). */
export interface PhotoDocument {
  /** 32 random hexadecimal digits. */
  _id: string;
  participationId: number;
  challengeId: number;
  userId: number;
  data: Buffer;
  uploadedAt: Date;
}

const schema = new Schema<PhotoDocument>({
  _id: { type: String, required: true },
  participationId: { type: Number, required: true },
  challengeId: { type: Number, required: true },
  userId: { type: Number, required: true },
  data: { type: Buffer, required: true },
  uploadedAt: { type: Date, required: true },
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ participationId: 1 });
schema.index({ challengeId: 1 });
schema.index({ userId: 1 });

export const photoModel = (connection: Connection) =>
  connection.model<PhotoDocument>('Photo', schema, 'photos');
