import { type Connection, Schema } from 'mongoose';

/** An uploaded picture, as it is served. */
export interface PictureDocument {
  /** Its file name. */
  _id: string;
  userId: number;
  data: Buffer;
  /** Set during the upload; also left behind by a crash. */
  chosenAt?: Date | null;
}

const schema = new Schema<PictureDocument>({
  _id: { type: String, required: true },
  userId: { type: Number, required: true },
  data: { type: Buffer, required: true },
  chosenAt: Date,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ userId: 1 });
schema.index({ chosenAt: 1 }, { sparse: true });

export const pictureModel = (connection: Connection) =>
  connection.model<PictureDocument>('Picture', schema, 'pictures');
