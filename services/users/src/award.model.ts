import { type Connection, Schema } from 'mongoose';

/** A line of the ledger: what one person got for one challenge, once for ever. Never removed. */
export interface AwardDocument {
  /** `<user>:<challenge>` */
  _id: string;
  userId: number;
  challengeId: number;
  points: number;
  /** `<user>:<day>:<n>`: which of the day's places for challenges of one's own this one took. */
  ownPlace?: string;
  awardedAt: Date;
  /** When it had been added to the profile, and that had been told. */
  toldAt?: Date | null;
}

const schema = new Schema<AwardDocument>({
  _id: { type: String, required: true },
  userId: { type: Number, required: true },
  challengeId: { type: Number, required: true },
  points: { type: Number, required: true },
  ownPlace: String,
  awardedAt: { type: Date, required: true },
  toldAt: Date,
});
schema.index({ ownPlace: 1 }, { unique: true, sparse: true });
schema.index({ userId: 1, points: 1 });

export const awardId = (userId: number, challengeId: number): string => `${userId}:${challengeId}`;

export const awardModel = (connection: Connection) =>
  connection.model<AwardDocument>('Award', schema, 'awards');
