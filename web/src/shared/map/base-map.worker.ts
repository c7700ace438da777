import type {
  Position as Coordinates,
  Feature,
  FeatureCollection,
  GeoJSON,
  Geometry,
  MultiLineString,
} from 'geojson';
import GeoJSONVT from 'geojson-vt';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import counties from 'us-atlas/counties-10m.json?url';
import countries from 'world-atlas/countries-50m.json?url';
import { loadPart } from '../lib/load-part.ts';
import { latitudeAt, type MapPoint, project, tileSize as size } from './mercator.ts';
import type { Waters } from './water.ts';

/** Colors of the drawn map, as CSS. */
export interface BaseMapColors {
  land: string;
  water: string;
  shore: string;
  border: string;
  text: string;
}

/** Requests the picture of a tile; the response has the same id. */
export interface TileRequest {
  id: number;
  tile: { z: number; x: number; y: number };
  /** Pixels of the screen for each of the tile's 256. */
  scale: number;
  colors: BaseMapColors;
}

/** Requests the names of the counties in a part of the map; the response has the same id. */
export interface NamesRequest {
  id: number;
  /** Its corners, from 0 to 1 over the whole map; the eastern one may be greater than 1. */
  from: MapPoint;
  to: MapPoint;
}

/** Positions from 0 to 1 over the whole map. */
export interface NamedPoint extends MapPoint {
  name: string;
}

/** The picture or the names, or an error. */
export interface DrawingResponse {
  id: number;
  picture?: ImageBitmap;
  names?: NamedPoint[];
  error?: string;
}

type Atlas<Name extends string> = Topology<Record<Name, GeometryCollection<{ name: string }>>>;

interface Label extends NamedPoint {
  /** The named part of the map; the larger label is kept if two overlap. */
  size: number;
  zooms: [from: number, to: number];
}

interface Layer {
  /** Cut on first use. */
  tiles: () => GeoJSONVT;
  zooms: [from: number, to: number];
  fill?: 'land';
  width?: number;
}

const extent = 4096;

const load = <Name extends string>(url: string): Promise<Atlas<Name>> =>
  loadPart(async () => (await fetch(url)).json());

/**
 * The atlases are not cut at the antimeridian, where a longitude jumps from one edge of the map to the other. Continues
 * such a line beyond the edge instead; tiles show the part beyond it on the other side.
 */
function unrolled(line: Coordinates[]): Coordinates[] {
  let wraps = 0;
  let before = line[0]?.[0] ?? 0;
  return line.map(([lng = 0, lat = 0]) => {
    if (Math.abs(lng - before) > 180) wraps -= Math.sign(lng - before);
    before = lng;
    return [lng + wraps * 360, lat];
  });
}

/** A ring around a pole does not end where it began; it is closed along the edge of the map. */
function unrolledRing(ring: Coordinates[]): Coordinates[] {
  const line = unrolled(ring);
  const [first = [0, 0], last = [0, 0]] = [line[0], line.at(-1)];
  const [[from = 0, lat = 0], [to = 0]] = [first, last];
  if (from === to) return line;
  const pole = 90 * Math.sign(lat);
  return [...line, [to, pole], [from, pole], first];
}

function unrolledFeature<P>({ geometry, ...rest }: Feature<Geometry, P>): Feature<Geometry, P> {
  if (geometry.type === 'Polygon')
    return { ...rest, geometry: { ...geometry, coordinates: geometry.coordinates.map(unrolledRing) } };
  if (geometry.type === 'MultiPolygon') {
    const coordinates = geometry.coordinates.map((polygon) => polygon.map(unrolledRing));
    return { ...rest, geometry: { ...geometry, coordinates } };
  }
  return { ...rest, geometry };
}

/** A label in the middle of a feature's largest part. */
function labelOf({ geometry, properties }: Feature, zooms: Label['zooms']): Label[] {
  const name: unknown = properties?.name;
  if (typeof name !== 'string') return [];
  const parts =
    geometry.type === 'Polygon'
      ? [geometry.coordinates]
      : geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : [];
  const labels = parts.map(([outline = []]): Label => {
    const points = outline.map(([lng = 0, lat = 0]) => project(lng, lat));
    const [across, down] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, right, top, bottom] = [
      Math.min(...across),
      Math.max(...across),
      Math.min(...down),
      Math.max(...down),
    ];
    const size = (right - left) * (bottom - top);
    const middle = (left + right) / 2;
    return { name, x: middle - Math.floor(middle), y: (top + bottom) / 2, size, zooms };
  });
  return labels.sort((one, other) => other.size - one.size).slice(0, 1);
}

/** Approximate size of a letter and of a line, in pixels. */
const [letter, line] = [8, 18];

/** The labels of a zoom that do not overlap, larger features first. */
function withoutOverlaps(labels: Label[], zoom: number): Label[] {
  const world = size * 2 ** zoom;
  const placed: Label[] = [];
  for (const label of labels) {
    if (!within(zoom, label.zooms)) continue;
    const crowded = placed.some(
      ({ name, x, y }) =>
        Math.abs(x - label.x) * world < ((name.length + label.name.length) / 2) * letter &&
        Math.abs(y - label.y) * world < line,
    );
    if (!crowded) placed.push(label);
  }
  return placed;
}

const within = (zoom: number, [from, to]: [number, number]) => zoom >= from && zoom <= to;

const slicesOf = (data: GeoJSON) =>
  new GeoJSONVT(data, { maxZoom: 19, indexMaxZoom: 4, tolerance: 3, extent });

const lines = (mesh: MultiLineString): MultiLineString => ({
  ...mesh,
  coordinates: mesh.coordinates.map(unrolled),
});

const usa = '840';

/** The zooms with names of countries or states. */
const labelZooms: Label['zooms'] = [3, 7];

/** The result of the first call, for all calls. */
function lazy<T>(make: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}

/** What a map of the city does not show is not prepared: cutting 3,100 counties alone takes a second. */
interface Atlases {
  /** Drawn where there is no detailed water. */
  land: Layer[];
  /** Borders of countries; the detailed ones are part of the water. */
  borders: Layer;
  inner: Layer[];
  counties: () => Label[];
  labelsAt(zoom: number): Label[];
}

async function prepare(): Promise<Atlases> {
  const [world, states] = await Promise.all([
    load<'countries'>(countries),
    load<'counties' | 'states' | 'nation'>(counties),
  ]);
  const nations = lazy(() => feature(world, world.objects.countries).features.map(unrolledFeature));
  // The other atlas has this country in more detail.
  const otherCountries = (): FeatureCollection => ({
    type: 'FeatureCollection',
    features: nations().filter(({ id }) => id !== usa),
  });
  const usaShape = (): FeatureCollection => ({
    type: 'FeatureCollection',
    features: feature(states, states.objects.nation).features.map(unrolledFeature),
  });
  const borders = () =>
    lines(mesh(world, world.objects.countries, (one, other) => one.id !== usa || other.id !== usa));
  const inner = (name: 'states' | 'counties') => () =>
    lines(mesh(states, states.objects[name], (one, other) => one !== other));
  const sliced = (data: () => GeoJSON) => lazy(() => slicesOf(data()));
  const all = lazy(() =>
    [
      ...nations().flatMap((country) => labelOf(country, [3, country.id === usa ? 3 : 7])),
      ...feature(states, states.objects.states).features.flatMap((state) => labelOf(state, [4, 7])),
    ].sort((one, other) => other.size - one.size),
  );
  const labels = new Map<number, Label[]>();
  return {
    land: [
      { tiles: sliced(otherCountries), zooms: [0, 22], fill: 'land' },
      { tiles: sliced(usaShape), zooms: [0, 22], fill: 'land', width: 0.75 },
    ],
    borders: { tiles: sliced(borders), zooms: [0, 22], width: 0.75 },
    inner: [
      // At higher zooms their positions are visibly wrong.
      { tiles: sliced(inner('counties')), zooms: [7, 11], width: 0.75 },
      { tiles: sliced(inner('states')), zooms: [4, 22], width: 1.5 },
    ],
    counties: lazy(() =>
      feature(states, states.objects.counties)
        .features.flatMap((county) => labelOf(county, [0, 22]))
        .sort((one, other) => other.size - one.size),
    ),
    labelsAt(zoom) {
      if (!within(zoom, labelZooms)) return [];
      const known = labels.get(zoom) ?? withoutOverlaps(all(), zoom);
      labels.set(zoom, known);
      return known;
    },
  };
}

const prepared = prepare();

/** In its own chunk, loaded with the atlases. */
const waters = loadPart(() => import('./water.ts')).then(({ createWater }) => createWater());

function drawLayer(
  pen: OffscreenCanvasRenderingContext2D,
  { tiles, fill, width }: Layer,
  { z, x, y }: TileRequest['tile'],
) {
  pen.beginPath();
  for (const part of tiles().getTile(z, x, y)?.features ?? []) {
    if (part.type === 1) continue;
    for (const line of part.geometry) {
      line.forEach(([across, down], index) => {
        const point = [(across * size) / extent, (down * size) / extent] as const;
        if (index === 0) pen.moveTo(...point);
        else pen.lineTo(...point);
      });
    }
  }
  if (fill) pen.fill('evenodd');
  if (!width) return;
  pen.lineWidth = width;
  pen.stroke();
}

/** Distances between two lines of the graticule in degrees, and the minimum in pixels. */
const degreesBetween = [30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002];
const pixelsBetween = 128;

/** Draws meridians and parallels, so that an empty part of the map has a scale, too. */
function drawGraticule(pen: OffscreenCanvasRenderingContext2D, { z, x, y }: TileRequest['tile']) {
  const across = 2 ** z;
  const minStep = (pixelsBetween * 360) / (size * across);
  const step = degreesBetween.findLast((degrees) => degrees >= minStep) ?? 30;
  pen.beginPath();
  const west = (x / across) * 360 - 180;
  for (let n = Math.ceil(west / step); n * step < west + 360 / across; n++) {
    const left = (project(n * step, 0).x * across - x) * size;
    pen.moveTo(left, 0);
    pen.lineTo(left, size);
  }
  const south = latitudeAt((y + 1) / across);
  for (let n = Math.ceil(south / step); n * step < latitudeAt(y / across); n++) {
    const top = (project(0, n * step).y * across - y) * size;
    pen.moveTo(0, top);
    pen.lineTo(size, top);
  }
  pen.globalAlpha = 0.35;
  pen.lineWidth = 0.5;
  pen.stroke();
  pen.globalAlpha = 1;
}

/** A name may overlap neighboring tiles; each tile draws its part. */
const labelOverlap = 0.75;

/** In pixels, half of it on the land. */
const shoreWidth = 1.5;

/** Draws the shore below the water, so that it is not visible between two waters. */
function fillWater(pen: OffscreenCanvasRenderingContext2D, path: Path2D, colors: BaseMapColors) {
  pen.strokeStyle = colors.shore;
  pen.lineWidth = shoreWidth;
  pen.stroke(path);
  pen.fillStyle = colors.water;
  pen.fill(path);
}

/** Returns the detailed water of a tile; undefined if it has none, or it could not be loaded. */
async function detailOf(tile: TileRequest['tile']): Promise<Waters | undefined> {
  try {
    return await (await waters).in(tile, size);
  } catch (error) {
    console.warn('Could not load detailed water', error);
    return undefined;
  }
}

function drawDetail(pen: OffscreenCanvasRenderingContext2D, detail: Waters, colors: BaseMapColors) {
  pen.fillStyle = detail.full ? colors.water : colors.land;
  pen.fillRect(0, 0, size, size);
  fillWater(pen, detail.water, colors);
  pen.strokeStyle = colors.border;
  pen.lineWidth = 1.5;
  pen.stroke(detail.borders);
}

async function drawOverview(
  pen: OffscreenCanvasRenderingContext2D,
  tile: TileRequest['tile'],
  colors: BaseMapColors,
) {
  const [{ land, borders }, lakes] = await Promise.all([
    prepared,
    waters.then((water) => water.lakesIn(tile, size)).catch(() => new Path2D()),
  ]);
  pen.fillStyle = colors.water;
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = colors.shore;
  pen.fillStyle = colors.land;
  for (const layer of land) drawLayer(pen, layer, tile);
  fillWater(pen, lakes, colors);
  pen.strokeStyle = colors.border;
  drawLayer(pen, borders, tile);
}

async function draw({ tile, scale, colors }: TileRequest): Promise<ImageBitmap> {
  const [{ inner, labelsAt }, detail] = await Promise.all([prepared, detailOf(tile)]);
  const canvas = new OffscreenCanvas(size * scale, size * scale);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser has no canvas outside of the page');
  pen.scale(scale, scale);
  pen.lineJoin = 'round';
  if (detail) drawDetail(pen, detail, colors);
  else await drawOverview(pen, tile, colors);
  pen.strokeStyle = colors.border;
  for (const layer of inner) if (within(tile.z, layer.zooms)) drawLayer(pen, layer, tile);
  drawGraticule(pen, tile);
  pen.fillStyle = colors.text;
  pen.textAlign = 'center';
  pen.font = '600 13px sans-serif';
  const across = 2 ** tile.z;
  for (const { name, x, y } of labelsAt(tile.z)) {
    const [left, top] = [x * across - tile.x, y * across - tile.y];
    if (Math.abs(left - 0.5) > labelOverlap || Math.abs(top - 0.5) > labelOverlap) continue;
    pen.fillText(name, left * size, top * size);
  }
  return canvas.transferToImageBitmap();
}

/** Larger counties first. */
async function namesIn({ from, to }: NamesRequest): Promise<NamedPoint[]> {
  const { counties } = await prepared;
  const isIn = ({ x, y }: Label) => (x - from.x + 1) % 1 < to.x - from.x && y > from.y && y < to.y;
  return counties()
    .filter(isIn)
    .map(({ name, x, y }) => ({ name, x, y }));
}

async function handleRequest(order: TileRequest | NamesRequest) {
  const { id } = order;
  try {
    if ('from' in order) {
      postMessage({ id, names: await namesIn(order) } satisfies DrawingResponse);
    } else {
      const picture = await draw(order);
      postMessage({ id, picture } satisfies DrawingResponse, { transfer: [picture] });
    }
  } catch (error) {
    postMessage({ id, error: String(error) } satisfies DrawingResponse);
  }
}

addEventListener('message', ({ data }: MessageEvent<TileRequest | NamesRequest>) => void handleRequest(data));
