import type { Doubt } from '@wayquest/contracts';
import { addOutbox, type WithOutbox } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

export interface LineDocument extends WithOutbox {
  _id: number;
  /** `<user>:<challenge>`: at most one line of each. A tombstone gives it up. */
  key?: string;
  userId: number;
  challengeId: number;
  completed: boolean;
  /** What it was worth when it was completed. */
  points?: number | null;
  joinedAt: Date;
  completedAt?: Date | null;
  /** The day (YYYY-MM-DD) that it was there then; not said of what was completed before lines kept it. */
  day?: string | null;
  /** Whose challenge it was; not said of what was completed before lines kept it. */
  creatorId?: number | null;
  /** Who completed it was there, by what their device said. Where that was is not kept. */
  checkedIn?: true | null;
  /** For admins alone, who are told by the award. */
  doubt?: Doubt | null;
}

const schema = new Schema<LineDocument>({
  _id: { type: Number, required: true },
  key: String,
  userId: { type: Number, required: true },
  challengeId: { type: Number, required: true },
  completed: { type: Boolean, required: true },
  points: Number,
  joinedAt: { type: Date, required: true },
  completedAt: Date,
  day: String,
  creatorId: Number,
  checkedIn: Boolean,
  doubt: String,
});
addOutbox(schema);
schema.set('shardKey', { userId: 'hashed' });
schema.index({ key: 1 }, { unique: true, sparse: true });
schema.index({ userId: 1, _id: -1 });
schema.index({ userId: 1, completed: 1, completedAt: -1 });
schema.index({ challengeId: 1, _id: 1 });

export const lineKey = (userId: number, challengeId: number): string => `${userId}:${challengeId}`;

export const lineModel = (connection: Connection) => connection.model<LineDocument>('Line', schema, 'lines');
