import type { Audience } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';

/** Who may see the map of a user's completions. There is no document for the default. */
export interface TrailMapDocument {
  /** The user's id. */
  _id: number;
  visibility: Audience;
}

const schema = new Schema<TrailMapDocument>({
  _id: { type: Number, required: true },
  visibility: { type: String, required: true },
});
schema.set('shardKey', { _id: 'hashed' });

export const trailMapModel = (connection: Connection) =>
  connection.model<TrailMapDocument>('TrailMap', schema, 'trail_maps');
