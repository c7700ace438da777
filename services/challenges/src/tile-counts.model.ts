import type { Difficulty } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';
import type { TileCount } from './tile-count.ts';

/** Challenges are counted by what a map can filter by; `open`: whether they were open when counted. */
export interface TileCountKey {
  difficulty: Difficulty;
  open: boolean;
}

export type KeyedTileCount = TileCount & TileCountKey;

/** The counts of a tile of the map, computed from its challenges, or from the tile's four quarters. */
export interface TileCountsDocument {
  /** The tile. */
  _id: string;
  version: number;
  /** One for each kind in the tile. */
  counts: KeyedTileCount[];
}

const tally = new Schema<KeyedTileCount>(
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

const schema = new Schema<TileCountsDocument>({
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  counts: [tally],
});
schema.set('shardKey', { _id: 'hashed' });

export const tileCountsModel = (connection: Connection) =>
  connection.model<TileCountsDocument>('TileCounts', schema, 'tile_counts');
