// Generates data/water.bin (see data/README.md). Not part of the build, since its sources are too large to be installed with
// every clone. Takes a minute and 6 GB: node --max-old-space-size=6000 web/scripts/cut-water.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import GeoJSONVT from 'geojson-vt';

const waters = '@geo-maps/earth-waterbodies-100m@0.6.0';
const countries = '@geo-maps/countries-coastline-50m@0.6.0';

/** A block is a tile of this zoom, `extent` units wide, with a buffer on each side. */
const blockZoom = 6;
const extent = 16_384;
const buffer = 64;

/** Lower zooms show the largest lakes of the world, in one tile of this width; areas in square kilometers. */
const worldExtent = 65_536;
const minWorldArea = 500;

/**
 * Areas in square kilometers. The source has inland water on a grid of 500 m, on which a pond is a triangle, and a narrow
 * river a row of triangles. Water is shown if its connected parts are large enough together.
 */
const minConnectedArea = 8;
const minPartArea = 0.3;
const cellsPerDegree = 200;

function download(name) {
  const folder = mkdtempSync(join(tmpdir(), 'water-'));
  const options = { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' };
  const archive = execFileSync('npm', ['pack', name], options).trim().split('\n').pop();
  execFileSync('tar', ['xzf', archive], options);
  const map = JSON.parse(readFileSync(join(folder, 'package/map.geo.json'), 'utf8'));
  rmSync(folder, { recursive: true });
  return map;
}

function areaOf([ring]) {
  const latitude = ring[0][1];
  let twice = 0;
  for (let at = 1; at < ring.length; at++)
    twice += ring[at - 1][0] * ring[at][1] - ring[at][0] * ring[at - 1][1];
  return Math.abs(twice / 2) * 111.32 * 110.57 * Math.cos((latitude * Math.PI) / 180);
}

const asFeature = (geometry, properties) => ({ type: 'Feature', geometry, properties });
const asPolygon = (coordinates) => asFeature({ type: 'Polygon', coordinates });

/** Returns polygons whose area, together with those in the same cells of a grid, is large enough (union-find). */
function filterLarge(polygons) {
  const parts = polygons
    .map((polygon) => ({ polygon, area: areaOf(polygon) }))
    .filter(({ area }) => area >= minPartArea);
  const parents = parts.map((_, index) => index);
  const rootOf = (index) => {
    while (parents[index] !== index) index = parents[index] = parents[parents[index]];
    return index;
  };
  const first = new Map();
  for (const [index, { polygon }] of parts.entries()) {
    for (const [lng, lat] of polygon[0]) {
      const cell = `${Math.round(lng * cellsPerDegree)} ${Math.round(lat * cellsPerDegree)}`;
      if (first.has(cell)) parents[rootOf(index)] = rootOf(first.get(cell));
      else first.set(cell, index);
    }
  }
  const connectedAreas = new Float64Array(parts.length);
  for (const [index, { area }] of parts.entries()) connectedAreas[rootOf(index)] += area;
  return parts
    .filter((_, index) => connectedAreas[rootOf(index)] >= minConnectedArea)
    .map(({ polygon }) => polygon);
}

/**
 * Repeats points that several polygons share. The map smooths corners, except at repeated points, so that adjacent water has
 * no gap.
 */
function repeatSharedPoints(polygons) {
  const seen = new Set();
  const shared = new Set();
  for (const polygon of polygons) {
    const own = new Set(polygon.flat().map((point) => point.join()));
    for (const point of own) (seen.has(point) ? shared : seen).add(point);
  }
  const twice = (point) => (shared.has(point.join()) ? [point, point] : [point]);
  return polygons.map((polygon) => polygon.map((ring) => ring.flatMap(twice)));
}

/** Returns the segments that occur in the outlines of two countries: their borders. */
function bordersOf({ features }) {
  const seen = new Set();
  const lines = [];
  for (const { geometry } of features) {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    for (const ring of polygons.flat()) {
      let line = [];
      for (let at = 1; at < ring.length; at++) {
        const [one, other] = [ring[at - 1].join(), ring[at].join()];
        const isKnown = seen.has(`${other} ${one}`);
        if (!isKnown) seen.add(`${one} ${other}`);
        if (isKnown) line = line.length ? [...line, ring[at]] : [ring[at - 1], ring[at]];
        if (!isKnown || at === ring.length - 1) {
          if (line.length) lines.push(line);
          line = [];
        }
      }
    }
  }
  return lines;
}

/** Encodes integers with seven bits per byte and zigzag, so that numbers near zero take one byte. */
function encodeNumbers(numbers) {
  const bytes = [];
  for (const number of numbers) {
    let rest = number < 0 ? -number * 2 - 1 : number * 2;
    while (rest > 127) {
      bytes.push((rest & 127) | 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}

/** Returns shapes as numbers, as data/README.md describes them. */
function encodeShapes(features) {
  const numbers = [features.length];
  let [x, y] = [0, 0];
  for (const { geometry } of features) {
    numbers.push(geometry.length);
    for (const line of geometry) {
      numbers.push(line.length);
      for (const [toX, toY] of line) {
        numbers.push(toX - x, toY - y);
        [x, y] = [toX, toY];
      }
    }
  }
  return numbers;
}

/** Slices features into tiles. The slicer joins the polygons of a feature, so each polygon is a feature. */
const cut = (features, options) =>
  new GeoJSONVT(
    { type: 'FeatureCollection', features },
    { indexMaxPoints: 0, tolerance: 1, buffer, ...options },
  );

const [rivers, lakes, seas] = download(waters).geometries.map(({ coordinates }) => coordinates);
const inland = filterLarge([...lakes, ...rivers]);
const water = repeatSharedPoints([...seas, ...inland]).map(asPolygon);
const borders = bordersOf(download(countries)).map((line) =>
  asFeature({ type: 'LineString', coordinates: line }),
);
const waterTiles = cut(water, { maxZoom: blockZoom, indexMaxZoom: blockZoom, extent });
const borderTiles = cut(borders, { maxZoom: blockZoom, indexMaxZoom: blockZoom, extent });

/** Whether a block is completely covered by water. */
const isFull = (features) =>
  features.length === 1 && features[0].geometry.length === 1 && features[0].geometry[0].length === 5;

const blocks = [];
const index = {};
let length = 0;
const add = (name, numbers) => {
  const packed = deflateRawSync(encodeNumbers(numbers), { level: 9 });
  index[name] = [length, packed.length];
  blocks.push(packed);
  length += packed.length;
};

const across = 2 ** blockZoom;
let states = '';
for (let y = 0; y < across; y++) {
  for (let x = 0; x < across; x++) {
    const inWater = waterTiles.getTile(blockZoom, x, y)?.features ?? [];
    const onBorders = borderTiles.getTile(blockZoom, x, y)?.features ?? [];
    const state = onBorders.length ? 'b' : isFull(inWater) ? 'w' : inWater.length ? 'b' : 'l';
    states += state;
    if (state === 'b') add(`${x}-${y}`, [...encodeShapes(inWater), ...encodeShapes(onBorders)]);
  }
}

const large = lakes.filter((polygon) => areaOf(polygon) >= minWorldArea).map(asPolygon);
// The slicer simplifies lines only below the maximum zoom, so that is 1 for a tile of zoom 0.
const world = cut(large, { maxZoom: 1, indexMaxZoom: 0, extent: worldExtent, tolerance: 2 });
add('world', encodeShapes(world.getTile(0, 0, 0)?.features ?? []));

const header = Buffer.from(JSON.stringify({ states, index }));
const size = Buffer.alloc(4);
size.writeUInt32LE(header.length);
writeFileSync(join(import.meta.dirname, '../data/water.bin'), Buffer.concat([size, header, ...blocks]));
const sizes = blocks.map((block) => block.length).sort((one, other) => one - other);
console.log(
  `${blocks.length} blocks, ${length} bytes, median ${sizes[sizes.length >> 1]}, maximum ${sizes.at(-1)}`,
);
console.log(`world: ${index.world[1]} bytes; header: ${header.length} bytes; borders: ${borders.length}`);
