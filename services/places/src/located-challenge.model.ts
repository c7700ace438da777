import type { Position } from '@wayquest/contracts';
import { addOutbox, type WithOutbox } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** That a challenge's place, or its town alone, was found, so that it is told once. */
export interface LocatedChallengeDocument extends WithOutbox {
  /** The challenge's id. */
  _id: number;
  /** None: its town alone was found. */
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
