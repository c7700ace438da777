import type { FlagReason } from '@wayquest/contracts';
import { addOutbox, type WithOutbox } from '@wayquest/platform/outbox';
import type { ServiceKit } from '@wayquest/platform/service';
import { type Connection, type QueryFilter, Schema } from 'mongoose';
import { monthOf } from './monthly-score.model.ts';

/** A ledger entry: the points of one user for one challenge. It can be revoked, and is deleted with the user only. */
interface AwardDocument extends WithOutbox {
  /** `<user>:<challenge>` */
  _id: string;
  userId: number;
  challengeId: number;
  /** Current points. */
  points: number;
  /** Points before it was revoked. */
  revokedPoints?: number;
  /** The challenge's creator, if another user. Absent in older versions. */
  creatorId?: number;
  /** `<user>:<user>:<day>`: creator and participant, in ascending order. */
  pair?: string;
  /** Completed with a check-in. Absent in older versions. */
  checkedIn?: boolean;
  /** Completed within minutes of the challenge's creation. */
  soonAfterCreation?: boolean;
  /** Since when it is under review, and in no monthly ranking. Null: reviewed. */
  flaggedAt?: Date | null;
  /** Why it is or was under review. Absent in older versions. */
  flagReason?: FlagReason;
  /** The admin's reason for revoking it. */
  reason?: string;
  /** The challenge's name. Absent in older versions. */
  title?: string;
  /** `<user>:<day>:<n>`: the slot of the day for own challenges that it takes. */
  ownChallengeSlot?: string;
  awardedAt: Date;
  /** When it was added to the profile and published. */
  appliedAt?: Date | null;
}

const schema = new Schema<AwardDocument>({
  _id: { type: String, required: true },
  userId: { type: Number, required: true },
  challengeId: { type: Number, required: true },
  points: { type: Number, required: true },
  revokedPoints: Number,
  creatorId: Number,
  pair: String,
  checkedIn: Boolean,
  soonAfterCreation: Boolean,
  flaggedAt: Date,
  flagReason: String,
  reason: String,
  title: String,
  ownChallengeSlot: String,
  awardedAt: { type: Date, required: true },
  appliedAt: Date,
});
addOutbox(schema);
schema.set('shardKey', { userId: 'hashed' });
schema.index({ ownChallengeSlot: 1 }, { unique: true, sparse: true });
schema.index({ challengeId: 1, _id: 1 });
schema.index({ pair: 1, points: 1 }, { sparse: true });
schema.index({ flaggedAt: 1 }, { sparse: true });
schema.index({ userId: 1, points: 1 });
schema.index({ userId: 1, awardedAt: -1 });

/** An award without its outbox. */
export type StoredAward = Omit<AwardDocument, keyof WithOutbox>;

/** Key of a pair and day, independent of the order of the users. */
export const pairOfDay = (userId: number, otherId: number, day: string): string =>
  [...[userId, otherId].sort((one, other) => one - other), day].join(':');

export const awardId = (userId: number, challengeId: number): string => `${userId}:${challengeId}`;

export const awardModel = (connection: Connection) =>
  connection.model<AwardDocument>('Award', schema, 'awards');

/** A challenge whose awards are revoked, including those of events that arrive later. */
export interface RevokedChallengeDocument {
  _id: number;
}

const revokedChallengeSchema = new Schema<RevokedChallengeDocument>({
  _id: { type: Number, required: true },
});
revokedChallengeSchema.set('shardKey', { _id: 'hashed' });

export const revokedChallengeModel = (connection: Connection) =>
  connection.model<RevokedChallengeDocument>(
    'RevokedChallenge',
    revokedChallengeSchema,
    'revoked_challenges',
  );

/** Sums of the ledger; revoked awards count 0. */
export interface Ledger {
  sumOf(filter: QueryFilter<AwardDocument>): Promise<number>;
  /** Points, and those with a check-in (null for none). */
  sumsOf(filter: QueryFilter<AwardDocument>): Promise<{ points: number; checkedIn: number | null }>;
  /** A user's total. */
  pointsOf(userId: number): Promise<number>;
  /** The months with awards of a user. */
  monthsOf(userId: number): Promise<string[]>;
}

/** Creates the queries for sums of the ledger. */
export function createLedger({ connection }: Pick<ServiceKit, 'connection'>): Ledger {
  const Awards = awardModel(connection);

  const sumOf = async (filter: QueryFilter<AwardDocument>): Promise<number> => {
    const [sum] = await Awards.aggregate<{ points: number }>([
      { $match: filter },
      { $group: { _id: null, points: { $sum: '$points' } } },
    ]);
    return sum?.points ?? 0;
  };

  return {
    sumOf,
    async sumsOf(filter: QueryFilter<AwardDocument>): Promise<{ points: number; checkedIn: number | null }> {
      const sums = await Awards.aggregate<{ _id: boolean | null; points: number }>([
        { $match: filter },
        { $group: { _id: '$checkedIn', points: { $sum: '$points' } } },
      ]);
      return {
        points: sums.reduce((all, { points }) => all + points, 0),
        checkedIn: sums.find(({ _id }) => _id)?.points || null,
      };
    },
    pointsOf: (userId: number): Promise<number> => sumOf({ userId }),
    async monthsOf(userId: number): Promise<string[]> {
      const moments = await Awards.distinct('awardedAt', { userId });
      return [...new Set(moments.map(monthOf))];
    },
  };
}
