import type { HeldFor } from '@wayquest/contracts';
import { addOutbox, type WithOutbox } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** A line of the ledger: what one person got for one challenge, once for ever. It may be taken back, and goes with the person alone. */
export interface AwardDocument extends WithOutbox {
  /** `<user>:<challenge>` */
  _id: string;
  userId: number;
  challengeId: number;
  /** What it counts for now. */
  points: number;
  /** What it counted for until it was taken back. */
  withdrawn?: number;
  /** Who made the challenge, of others' making; older versions did not keep it. */
  creatorId?: number;
  /** `<user>:<user>:<day>`: whose challenge it was and who completed it, whichever way round. */
  pair?: string;
  /** Completed there; older versions did not keep it. */
  checkedIn?: boolean;
  /** Completed within minutes of the challenge's making. */
  quick?: boolean;
  /** Since when it waits for somebody to look at it, and counts on no board of a month. Null: it was looked at. */
  heldAt?: Date | null;
  /** Why it waits, or did; older versions did not keep it. */
  heldFor?: HeldFor;
  /** What an admin told the person who took it back. */
  reason?: string;
  /** What the challenge was called; older versions did not keep it. */
  title?: string;
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
  withdrawn: Number,
  creatorId: Number,
  pair: String,
  checkedIn: Boolean,
  quick: Boolean,
  heldAt: Date,
  heldFor: String,
  reason: String,
  title: String,
  ownPlace: String,
  awardedAt: { type: Date, required: true },
  toldAt: Date,
});
addOutbox(schema);
schema.set('shardKey', { userId: 'hashed' });
schema.index({ ownPlace: 1 }, { unique: true, sparse: true });
schema.index({ challengeId: 1, _id: 1 });
schema.index({ pair: 1, points: 1 }, { sparse: true });
schema.index({ heldAt: 1 }, { sparse: true });
schema.index({ userId: 1, points: 1 });
schema.index({ userId: 1, awardedAt: -1 });

/** A line as it is read and presented: what it has to tell is between it and its outbox. */
export type StoredAward = Omit<AwardDocument, keyof WithOutbox>;

/** Both ways round the same. */
export const pairOfDay = (userId: number, otherId: number, day: string): string =>
  [...[userId, otherId].sort((one, other) => one - other), day].join(':');

export const awardId = (userId: number, challengeId: number): string => `${userId}:${challengeId}`;

export const awardModel = (connection: Connection) =>
  connection.model<AwardDocument>('Award', schema, 'awards');
