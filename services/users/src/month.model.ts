import { type Connection, Schema } from 'mongoose';

/** What somebody earned in a month with challenges that others made. */
export interface MonthDocument {
  /** `<month>:<user>` */
  _id: string;
  /** `2026-11`, by UTC. */
  month: string;
  userId: number;
  /** Where they lived when it was last added up. */
  town?: string;
  points: number;
  /** How many of them were checked in for: null where none, which sorts as what older versions wrote. */
  checkedIn?: number | null;
  /** Counts the changes; older versions only ever added, and did not. */
  version?: number | null;
}

const schema = new Schema<MonthDocument>({
  _id: { type: String, required: true },
  month: { type: String, required: true },
  userId: { type: Number, required: true },
  town: String,
  points: { type: Number, required: true },
  checkedIn: Number,
  version: Number,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ userId: 1 });
schema.index({ month: 1, points: -1, checkedIn: -1, userId: 1 });
schema.index({ month: 1, town: 1, points: -1, checkedIn: -1, userId: 1 });

export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7);

export const beginOf = (month: string): Date => new Date(`${month}-01T00:00:00Z`);

export const monthId = (month: string, userId: number): string => `${month}:${userId}`;

export const monthModel = (connection: Connection) =>
  connection.model<MonthDocument>('Month', schema, 'months');
