import folder from 'virtual:water';
import { type Bounds, cornersNear } from './corners-near.ts';
import type { MapPoint } from './mercator.ts';

/** As cut by `scripts/cut-water.mjs`: tiles of this zoom, and their width in units. */
const blockZoom = 6;
const blockExtent = 16_384;
const worldExtent = 65_536;

/** Coasts are rounded: distance from a corner at which its curve begins, in units of a block. */
const maxCornerRadius = 16;

/** Enough for a few views; others are in the browser's cache. */
const maxCachedBlocks = 48;

interface Shape {
  /** Each line is x, y, x, y …; an area has its outline and its holes, in opposite directions. */
  lines: Int32Array[];
  west: number;
  east: number;
  north: number;
  south: number;
}

interface Block {
  water: Shape[];
  borders: Shape[];
}

/** The water in a part of the map. */
export interface Waters {
  /** Only water. */
  full?: boolean;
  water: Path2D;
  borders: Path2D;
}

const fetchFile = async (name: string): Promise<Response> => {
  const response = await fetch(`${folder}/${name}`);
  if (!response.ok) throw new Error(`${name} could not be loaded: status ${response.status}`);
  return response;
};

async function fetchDecompressed(name: string): Promise<Uint8Array> {
  const { body } = await fetchFile(`${name}.bin`);
  if (!body) throw new Error(`${name} is empty`);
  const stream = body.pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns a function that reads variable-length, zigzag-encoded integers. */
function reader(bytes: Uint8Array) {
  let at = 0;
  return (): number => {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value % 2 ? -(value + 1) / 2 : value / 2;
      factor *= 128;
    }
  };
}

/**
 * Reads the number of shapes; for each, the number of lines; for each of them, the number of points and their deltas.
 */
function readShapes(next: () => number): Shape[] {
  let [x, y] = [0, 0];
  return Array.from({ length: next() }, () => {
    let [west, east, north, south] = [Infinity, -Infinity, Infinity, -Infinity];
    const lines = Array.from({ length: next() }, () => {
      const line = new Int32Array(next() * 2);
      for (let index = 0; index < line.length; index += 2) {
        x += next();
        y += next();
        line[index] = x;
        line[index + 1] = y;
        [west, east] = [Math.min(west, x), Math.max(east, x)];
        [north, south] = [Math.min(north, y), Math.max(south, y)];
      }
      return line;
    });
    return { lines, west, east, north, south };
  });
}

/**
 * Returns a path of the shapes near a square, drawn at `size` pixels; `left`, `top` and `width` are in units of the
 * shapes.
 */
function pathOf(
  shapes: Shape[],
  {
    left,
    top,
    width,
    size,
    closed,
  }: { left: number; top: number; width: number; size: number; closed: boolean },
): Path2D {
  const path = new Path2D();
  const scale = size / width;
  // A corner's curve reaches into the square from as far as this, and depends on the next corners.
  const margin = Math.max(width / 16, 2 * maxCornerRadius);
  const near: Bounds = {
    left: left - margin,
    right: left + width + margin,
    top: top - margin,
    bottom: top + width + margin,
  };
  for (const { lines, west, east, north, south } of shapes) {
    if (east < near.left || west > near.right || south < near.top || north > near.bottom) continue;
    for (const whole of lines) {
      const line = closed ? cornersNear(whole, near) : whole;
      const x = (index: number) => ((line[index] ?? 0) - left) * scale;
      const y = (index: number) => ((line[index + 1] ?? 0) - top) * scale;
      /** Where the curve around a corner begins or ends. */
      const towards = (index: number, other: number): [number, number] => {
        const [dx, dy] = [x(other) - x(index), y(other) - y(index)];
        const part = Math.min(0.5, (maxCornerRadius * scale) / Math.hypot(dx, dy));
        return [x(index) + dx * part, y(index) + dy * part];
      };
      if (!closed) {
        path.moveTo(x(0), y(0));
        for (let index = 2; index < line.length; index += 2) path.lineTo(x(index), y(index));
        continue;
      }
      for (let index = 0; index < line.length; index += 2) {
        const before = (index || line.length) - 2;
        const [fromX, fromY] = towards(index, before);
        const [toX, toY] = towards(index, (index + 2) % line.length);
        if (index === 0) path.moveTo(fromX, fromY);
        else path.lineTo(fromX, fromY);
        path.quadraticCurveTo(x(index), y(index), toX, toY);
      }
      path.closePath();
    }
  }
  return path;
}

/** Memoizes a request, except for failures. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= ask().catch((error: unknown) => {
      pending = undefined;
      throw error;
    });
    return pending;
  };
}

/** Seas, lakes, rivers and borders of countries, fetched for the parts that are shown. */
export function createWater() {
  const states = once(async () => (await fetchFile('states.txt')).text());
  const lakes = once(async () => readShapes(reader(await fetchDecompressed('world'))));
  const blocks = new Map<string, () => Promise<Block>>();

  const blockAt = (name: string): Promise<Block> => {
    const request =
      blocks.get(name) ??
      once(async () => {
        const next = reader(await fetchDecompressed(name));
        return { water: readShapes(next), borders: readShapes(next) };
      });
    // Moves it to the end, as the most recently used one.
    blocks.delete(name);
    blocks.set(name, request);
    for (const oldest of blocks.keys()) if (blocks.size > maxCachedBlocks) blocks.delete(oldest);
    return request();
  };

  return {
    /** Returns the detailed water of a tile, from the zoom on at which details are visible. */
    async in({ x, y, z }: MapPoint & { z: number }, size: number): Promise<Waters | undefined> {
      if (z <= blockZoom) return undefined;
      const steps = 2 ** (z - blockZoom);
      const [across, down] = [Math.floor(x / steps), Math.floor(y / steps)];
      const state = (await states())[down * 2 ** blockZoom + across];
      if (state !== 'b') return { full: state === 'w', water: new Path2D(), borders: new Path2D() };
      const { water, borders } = await blockAt(`${across}-${down}`);
      const width = blockExtent / steps;
      const part = { left: (x - across * steps) * width, top: (y - down * steps) * width, width, size };
      return {
        water: pathOf(water, { ...part, closed: true }),
        borders: pathOf(borders, { ...part, closed: false }),
      };
    },

    /** Returns the large lakes of the world, for any zoom. */
    async lakesIn({ x, y, z }: MapPoint & { z: number }, size: number): Promise<Path2D> {
      const width = worldExtent / 2 ** z;
      return pathOf(await lakes(), { left: x * width, top: y * width, width, size, closed: true });
    },
  };
}
