import type { Privacy } from '@wayquest/contracts';
import { addOutbox, type WithOutbox, type WithSearchTokens } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** What a person tells of themselves. */
export interface ProfileFields {
  firstName: string;
  lastName: string;
  streetAddress: string;
  city: string;
  state: string;
  zip: string;
  email: string;
}

export interface ProfileDocument extends WithOutbox, WithSearchTokens, ProfileFields {
  _id: number;
  /** Counts the changes that others hear of. */
  version: number;
  username: string;
  admin: boolean;
  /** That of the account in auth that username and admin come from; 0 while only a token has told of it. */
  accountVersion: number;
  /** When auth last told of it. */
  heardAt?: Date | null;
  avatar: string;
  /**
   * Told by city and state (the contracts' `townOf`), '' where they have not said or do not show it to everybody; missing in
   * what older versions wrote.
   */
  town: string;
  points: number;
  /** Counts the changes of the points; none while older versions, which only ever added, have made them. */
  pointsVersion?: number | null;
  /** Those of others' making that wait for nobody, which the town's board is by: null where none, or not counted yet. */
  townPoints?: number | null;
  /** How many of these were checked in for: null where none. */
  townCheckedIn?: number | null;
  /** What they chose of it; missing before. */
  privacy?: Partial<Privacy> | null;
}

const text = { type: String, default: '' };

const schema = new Schema<ProfileDocument>({
  _id: { type: Number, required: true },
  version: { type: Number, required: true },
  username: { type: String, required: true },
  admin: { type: Boolean, required: true },
  accountVersion: { type: Number, required: true },
  heardAt: Date,
  firstName: text,
  lastName: text,
  streetAddress: text,
  city: text,
  state: text,
  zip: text,
  email: text,
  words: { type: [String], required: true },
  avatar: { type: String, required: true },
  town: String,
  points: { type: Number, required: true },
  pointsVersion: Number,
  townPoints: Number,
  townCheckedIn: Number,
  privacy: Schema.Types.Mixed,
});
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });
schema.index({ points: -1, _id: 1 });
schema.index({ town: 1, townPoints: -1, townCheckedIn: -1, _id: 1 });
schema.index({ words: 1 });

export const profileModel = (connection: Connection) =>
  connection.model<ProfileDocument>('Profile', schema, 'profiles');
