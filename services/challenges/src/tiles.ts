import type { BoundingBox, Position } from '@wayquest/contracts';

// The map in tiles: Web Mercator, halved in each direction at each level. A tile's name is its quadkey, one digit from 0 to 3
// for each level, so that it begins with the name of the tile that contains it.

export const world: BoundingBox = { west: -180, south: -90, east: 180, north: 90 };

/** The world in sixteen tiles: what a map shows when it shows it all. */
export const minLevel = 2;

/** Tiles of 64 pixels at zoom 16, beyond which nothing is clustered (spec, section 9). */
export const maxLevel = 18;

/** A tile two levels finer than the map's own is 64 pixels wide: about the grid of the spec, 60. */
const levelsFinerThanZoom = 2;

/** More than a screen 3840 pixels wide shows, and few enough to be read one by one. */
const maxTiles = 2_000;

const radian = Math.PI / 180;

/** The distance of a position from the map's west edge, from 0 to 1. */
const columnFraction = (lng: number) => (lng + 180) / 360;

/** The distance of a position from the map's north edge, from 0 to 1; infinite at a pole. */
const rowFraction = (lat: number) => {
  const sine = Math.sin(lat * radian);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};

/** The column or row at a distance from 0 to 1; beyond the edge the last one. */
const toIndex = (share: number, level: number) =>
  Math.max(0, Math.min(2 ** level - 1, Math.floor(share * 2 ** level)));

function quadkey(x: number, y: number, level: number): string {
  let key = '';
  for (let bit = 2 ** (level - 1); bit >= 1; bit /= 2) key += (x & bit ? 1 : 0) + (y & bit ? 2 : 0);
  return key;
}

/** The tile of a level that contains a position. */
const tileAt = ({ lat, lng }: Position, level: number): string =>
  quadkey(toIndex(columnFraction(lng), level), toIndex(rowFraction(lat), level), level);

/** The tile of the finest level that contains a position. */
export const finestTileAt = (position: Position): string => tileAt(position, maxLevel);

/** The tiles of the next finer level within a tile. */
export const childTiles = (tile: string): string[] => [0, 1, 2, 3].map((digit) => `${tile}${digit}`);

/** The tile of the next coarser level that contains a tile. */
export const parentTile = (tile: string): string => tile.slice(0, -1);

/** What a tile covers; those at the map's edge reach to the pole. */
export function boxOf(tile: string): BoundingBox {
  const level = tile.length;
  const bits = (mask: number) =>
    [...tile].reduce((sum, digit) => sum * 2 + (Number(digit) & mask ? 1 : 0), 0);
  const [x, y, count] = [bits(1), bits(2), 2 ** level];
  const lat = (row: number) => {
    if (row === 0) return 90;
    if (row === count) return -90;
    return Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / count))) / radian;
  };
  return {
    west: (x / count) * 360 - 180,
    south: lat(y + 1),
    east: ((x + 1) / count) * 360 - 180,
    north: lat(y),
  };
}

/** The tiles of a level that a box touches, as ranges of columns, possibly across the antimeridian, and rows. */
function spanOf({ west, south, east, north }: BoundingBox, level: number) {
  const first = toIndex(columnFraction(west), level);
  const last = toIndex(columnFraction(east), level) + (west <= east ? 0 : 2 ** level);
  const [top, bottom] = [toIndex(rowFraction(north), level), toIndex(rowFraction(south), level)];
  return { first, columns: Math.min(last - first + 1, 2 ** level), top, rows: bottom - top + 1 };
}

/** The finest level, starting at one, of which a box touches at most so many tiles. */
export function finestLevelFor(box: BoundingBox, from: number, max: number): number {
  for (let level = Math.min(from, maxLevel); level > minLevel; level--) {
    const { columns, rows } = spanOf(box, level);
    if (columns * rows <= max) return level;
  }
  return minLevel;
}

/** The level of the tiles to draw a view with. */
export const levelFor = (box: BoundingBox, zoom: number): number =>
  finestLevelFor(box, zoom + levelsFinerThanZoom, maxTiles);

/** The tiles of a level that a box touches. */
export function tilesIn(box: BoundingBox, level: number): string[] {
  const { first, columns, top, rows } = spanOf(box, level);
  return Array.from({ length: columns * rows }, (_, i) =>
    quadkey((first + (i % columns)) % 2 ** level, top + Math.floor(i / columns), level),
  );
}

/** The box of all the tiles of a level that a box touches. */
export function expandToTiles(box: BoundingBox, level: number): BoundingBox {
  const { west, south, east, north } = box;
  const northWest = boxOf(tileAt({ lat: north, lng: west }, level));
  const southEast = boxOf(tileAt({ lat: south, lng: east }, level));
  const { columns } = spanOf(box, level);
  if (columns === 2 ** level)
    return { west: -180, south: southEast.south, east: 180, north: northWest.north };
  return {
    west: northWest.west,
    south: southEast.south,
    east: southEast.east,
    north: northWest.north,
  };
}
