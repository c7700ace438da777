import { type Connection, Schema } from 'mongoose';

/** A challenge whose awards are revoked, including those of events that arrive later. */
export interface RevokedChallengeDocument {
  _id: number;
}

const schema = new Schema<RevokedChallengeDocument>({ _id: { type: Number, required: true } });
schema.set('shardKey', { _id: 'hashed' });

export const revokedChallengeModel = (connection: Connection) =>
  connection.model<RevokedChallengeDocument>('RevokedChallenge', schema, 'revoked_challenges');
