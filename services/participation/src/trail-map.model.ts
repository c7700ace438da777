import type { Audience } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';

/** Whom a person lets see the map of where they have been; none for who never chose. */
export interface TrailMapDocument {
  /** The person's id. */
  _id: number;
  shownTo: Audience;
}

const schema = new Schema<TrailMapDocument>({
  _id: { type: Number, required: true },
  shownTo: { type: String, required: true },
});
schema.set('shardKey', { _id: 'hashed' });

export const trailMapModel = (connection: Connection) =>
  connection.model<TrailMapDocument>('TrailMap', schema, 'trail_maps');
