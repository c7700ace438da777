import type { Position } from '@wayquest/contracts';
import { addOutbox, type WithOutbox } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** A challenge whose position, or only its town, was found and published, so that it is published once. */
export interface LocatedChallengeDocument extends WithOutbox {
  /** The challenge's id. */
  _id: number;
  /** Missing if only its town was found. */
  position: Position | null;
}

const schema = new Schema<LocatedChallengeDocument>({
  _id: { type: Number, required: true },
  position: {
    type: new Schema(
      { lat: { type: Number, required: true }, lng: { type: Number, required: true } },
      { _id: false },
    ),
    default: null,
  },
});
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });

export const locatedChallengeModel = (connection: Connection) =>
  connection.model<LocatedChallengeDocument>('LocatedChallenge', schema, 'located_challenges');
