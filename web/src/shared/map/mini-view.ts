import { type MapPoint, project, tileSize } from './mercator.ts';

export interface Size {
  width: number;
  height: number;
}

/** The view of a small map: its northwestern corner, in pixels of the whole world at a zoom. */
export interface MiniView extends Size {
  /** Zoom of the tiles. */
  zoom: number;
  /** Displayed size of a tile, in pixels. */
  tile: number;
  left: number;
  top: number;
}

/** Maximum zoom; beyond it there would be nothing but land. */
const maxZoom = 12;

/** Margin around the positions, in pixels. */
const margin = 30;

/** Each zoom has two steps, with larger tiles in the second. More steps would scale the drawn names too much. */
const tileSizes = [tileSize, Math.round(tileSize * Math.SQRT2)];
const steps = Array.from({ length: maxZoom }, (_, zoom) => tileSizes.map((tile) => ({ zoom, tile })))
  .flat()
  .concat({ zoom: maxZoom, tile: tileSize });

export const worldSize = ({ zoom, tile }: Pick<MiniView, 'zoom' | 'tile'>): number => tile * 2 ** zoom;

/** Returns the closest view of all positions. */
export function viewOf(positions: { lat: number; lng: number }[], { width, height }: Size): MiniView {
  const points = positions.map(({ lng, lat }) => project(lng, lat));
  const xs = points.map(({ x }) => x).sort((one, other) => one - other);
  const ys = points.map(({ y }) => y);
  // The world is round: the view begins after the widest gap.
  const gaps = xs.map((x, index) => ({
    west: x,
    gap: x - (xs[index - 1] ?? (xs.at(-1) ?? x) - 1),
  }));
  const { west, gap } = gaps.reduce((widest, each) => (each.gap > widest.gap ? each : widest), {
    west: 0,
    gap: 0,
  });
  const [north, south] = [Math.min(...ys), Math.max(...ys)];
  const [wide, high] = [1 - gap, south - north];
  const step = steps.findLast(
    (each) => wide * worldSize(each) <= width - 2 * margin && high * worldSize(each) <= height - 2 * margin,
  ) ?? { zoom: 0, tile: tileSize };
  const world = worldSize(step);
  return {
    ...{ ...step, width, height },
    left: Math.round((west + wide / 2) * world - width / 2),
    top: Math.round(((north + south) / 2) * world - height / 2),
  };
}

/** Returns a position in a view, in pixels. */
export function positionInView(view: MiniView, { lat, lng }: { lat: number; lng: number }): MapPoint {
  const world = worldSize(view);
  const { x, y } = project(lng, lat);
  return { x: (((x * world - view.left) % world) + world) % world, y: y * world - view.top };
}

/** Returns the tiles of a view, with their positions in it. */
export function tilesOf({ zoom, tile: size, left, top, width, height }: MiniView) {
  const across = 2 ** zoom;
  const tiles: { tile: { x: number; y: number; z: number }; left: number; top: number }[] = [];
  for (let column = Math.floor(left / size); column * size < left + width; column++) {
    for (let row = Math.floor(top / size); row * size < top + height; row++) {
      if (row < 0 || row >= across) continue;
      const x = ((column % across) + across) % across;
      tiles.push({
        tile: { x, y: row, z: zoom },
        left: column * size - left,
        top: row * size - top,
      });
    }
  }
  return tiles;
}
