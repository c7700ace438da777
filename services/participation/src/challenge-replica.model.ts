import type { ChallengeDetails } from '@wayquest/contracts';
import type { Heard } from '@wayquest/platform/replicas';
import { type Connection, Schema } from 'mongoose';

/** A challenge as its service last told of it. */
export interface ChallengeReplicaDocument extends Heard {
  _id: number;
  version: number;
  /** None in the mark of a deleted challenge of which nothing else was heard. */
  details?: ChallengeDetails | null;
  deleted: boolean;
}

const schema = new Schema<ChallengeReplicaDocument>({
  _id: { type: Number, required: true },
  version: { type: Number, required: true },
  details: Schema.Types.Mixed,
  deleted: { type: Boolean, required: true },
  heardAt: Date,
});

export const challengeReplicaModel = (connection: Connection) =>
  connection.model<ChallengeReplicaDocument>('ChallengeReplica', schema, 'challenges');
