import { type Connection, Schema } from 'mongoose';

/** A position in a ranking: by points, then by points with a check-in (both descending), then by user id. */
export interface RankPosition {
  points: number;
  /** Points of completions with a check-in; not used by the all-time ranking. */
  checkedIn?: number | null;
  userId: number;
}

/** A bucket of the ranking: how many people are ranked from this position on, up to the next bucket. */
export interface RankBucket extends Omit<RankPosition, 'checkedIn'> {
  count: number;
}

/** A ranking as consecutive buckets; there is always at least one. */
export interface RankingIndexDocument {
  _id: string;
  /** Version for optimistic concurrency. */
  version: number;
  buckets: RankBucket[];
}

const schema = new Schema<RankingIndexDocument>({
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  buckets: {
    type: [
      new Schema<RankBucket>(
        {
          points: { type: Number, required: true },
          userId: { type: Number, required: true },
          count: { type: Number, required: true },
        },
        { _id: false },
      ),
    ],
    required: true,
  },
});
schema.set('shardKey', { _id: 'hashed' });

export const rankingIndexModel = (connection: Connection) =>
  connection.model<RankingIndexDocument>('RankingIndex', schema, 'ranking_indexes');
