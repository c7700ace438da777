import { type Connection, Schema } from 'mongoose';

/** A challenge whose awards are revoked, including those of events that arrive later. */
export interface WithdrawnChallengeDocument {
  _id: number;
}

const schema = new Schema<WithdrawnChallengeDocument>({ _id: { type: Number, required: true } });
schema.set('shardKey', { _id: 'hashed' });

export const withdrawnChallengeModel = (connection: Connection) =>
  connection.model<WithdrawnChallengeDocument>('WithdrawnChallenge', schema, 'withdrawn_challenges');
