import { type Connection, Schema } from 'mongoose';

/** A picture that somebody chose, as it is served. */
export interface PictureDocument {
  /** Its file name. */
  _id: string;
  userId: number;
  data: Buffer;
}

const schema = new Schema<PictureDocument>({
  _id: { type: String, required: true },
  userId: { type: Number, required: true },
  data: { type: Buffer, required: true },
});
schema.index({ userId: 1 });

export const pictureModel = (connection: Connection) =>
  connection.model<PictureDocument>('Picture', schema, 'pictures');
