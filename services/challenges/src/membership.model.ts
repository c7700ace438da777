import type { Heard } from '@wayquest/platform/replicas';
import { type Connection, Schema } from 'mongoose';

/** Who takes part where: a replica of participation's lines, fed by events. */
export interface MembershipDocument extends Heard {
  /** The line's id. */
  _id: number;
  challengeId: number;
  userId: number;
  /** Kept as a mark, since the event that it was joined may arrive after the one that it was left. */
  left: boolean;
}

const schema = new Schema<MembershipDocument>({
  _id: { type: Number, required: true },
  challengeId: { type: Number, required: true },
  userId: { type: Number, required: true },
  left: { type: Boolean, required: true },
  heardAt: Date,
});
schema.index({ challengeId: 1, left: 1 });
schema.index({ userId: 1, left: 1 });

export const membershipModel = (connection: Connection) =>
  connection.model<MembershipDocument>('Membership', schema, 'memberships');
