import type { Difficulty } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';
import type { TileCount } from './tile-count.ts';

/** Challenges are counted by what a map can filter by; `open`: whether they were, on the day of the count. */
export interface Kind {
  difficulty: Difficulty;
  open: boolean;
}

export type TallyOfKind = TileCount & Kind;

/** The counts of a tile of the map, computed from its challenges, or from the tile's four quarters. */
export interface CellDocument {
  /** The tile. */
  _id: string;
  version: number;
  /** One for each kind in the tile. */
  tallies: TallyOfKind[];
}

const tally = new Schema<TallyOfKind>(
  {
    difficulty: { type: String, required: true },
    open: { type: Boolean, required: true },
    count: { type: Number, required: true },
    lng: { type: Number, required: true },
    lat: { type: Number, required: true },
    newest: { type: Number, required: true },
    city: String,
  },
  { _id: false },
);

const schema = new Schema<CellDocument>({
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  tallies: [tally],
});
schema.set('shardKey', { _id: 'hashed' });

export const cellModel = (connection: Connection) => connection.model<CellDocument>('Cell', schema, 'cells');
