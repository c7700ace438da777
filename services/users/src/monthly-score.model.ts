import { type Connection, Schema } from 'mongoose';
import { type UncountedPlace, uncountedPlaces } from './uncounted.ts';

/** A person's points of a month for challenges that others created. */
export interface MonthlyScoreDocument {
  /** `<month>:<user>` */
  _id: string;
  /** `2026-11`, by UTC. */
  month: string;
  userId: number;
  /** Their town at the last recomputation. */
  town?: string;
  points: number;
  /** Points of completions with a check-in; null for none, which sorts like documents of older versions. */
  checkedIn?: number | null;
  /** Version for optimistic concurrency; older versions did not write one. */
  version?: number | null;
  /** Where the month's rankings have to be counted again. */
  uncounted?: UncountedPlace[] | null;
}

const schema = new Schema<MonthlyScoreDocument>({
  _id: { type: String, required: true },
  month: { type: String, required: true },
  userId: { type: Number, required: true },
  town: String,
  points: { type: Number, required: true },
  checkedIn: Number,
  version: Number,
  uncounted: uncountedPlaces,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ userId: 1 });
schema.index({ month: 1, points: -1, checkedIn: -1, userId: 1 });
schema.index({ month: 1, town: 1, points: -1, checkedIn: -1, userId: 1 });

export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7);

export const startOfMonth = (month: string): Date => new Date(`${month}-01T00:00:00Z`);

export const monthId = (month: string, userId: number): string => `${month}:${userId}`;

export const monthlyScoreModel = (connection: Connection) =>
  connection.model<MonthlyScoreDocument>('MonthlyScore', schema, 'monthly_scores');
