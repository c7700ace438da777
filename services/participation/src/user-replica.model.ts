import type { PublicUser } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';

/** A person as the users service last told of them. */
export interface UserReplicaDocument {
  _id: number;
  /** 0 while only a token has told of them. */
  version: number;
  profile: Omit<PublicUser, 'id' | 'points'>;
  points: number;
}

const schema = new Schema<UserReplicaDocument>({
  _id: { type: Number, required: true },
  version: { type: Number, required: true },
  profile: { type: Schema.Types.Mixed, required: true },
  points: { type: Number, required: true },
});

export const userReplicaModel = (connection: Connection) =>
  connection.model<UserReplicaDocument>('UserReplica', schema, 'users');
