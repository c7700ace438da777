import { type Connection, Schema } from 'mongoose';

/** A challenge with which nothing was ever earned, whatever is still told of it. */
export interface WithdrawnChallengeDocument {
  _id: number;
}

const schema = new Schema<WithdrawnChallengeDocument>({ _id: { type: Number, required: true } });
schema.set('shardKey', { _id: 'hashed' });

export const withdrawnChallengeModel = (connection: Connection) =>
  connection.model<WithdrawnChallengeDocument>('WithdrawnChallenge', schema, 'withdrawn-challenges');
