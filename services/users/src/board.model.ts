import { type Connection, Schema } from 'mongoose';

/**
 * Where somebody stands: ahead of who has fewer points, or as many of which fewer are checked in, or as many of those too and
 * came later.
 */
export interface Standing {
  points: number;
  /** How many of them were checked in for; the board of all time does not ask. */
  checkedIn?: number | null;
  userId: number;
}

/** A stretch of the ranking: how many stand from here on, before the next section begins. */
export interface Section extends Omit<Standing, 'checkedIn'> {
  count: number;
}

/** A ranking, cut into sections in its order; there is always one. */
export interface BoardDocument {
  _id: string;
  /** Counts the changes. */
  version: number;
  sections: Section[];
}

const schema = new Schema<BoardDocument>({
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  sections: {
    type: [
      new Schema<Section>(
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

export const boardModel = (connection: Connection) =>
  connection.model<BoardDocument>('Board', schema, 'boards');
