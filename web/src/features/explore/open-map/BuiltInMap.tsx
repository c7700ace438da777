import { useDebouncedValue } from '@mantine/hooks';
import type { OperationResponse, Operations, PlaceType, Position } from '@wayquest/contracts';
import {
  Control,
  type Coords,
  type DoneCallback,
  divIcon,
  GridLayer,
  type LatLngBounds,
  LayerGroup,
  type Map as LeafletMap,
  Marker,
} from 'leaflet';
import { useEffect, useState } from 'react';
import { currentUnits } from '../../../entities/challenges/location.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import type { NamedPoint } from '../../../shared/map/base-map.worker.ts';
import { latitudeAt, project } from '../../../shared/map/mercator.ts';
import { colorsAt, createTileDrawer, drawnScale, type TileDrawer } from '../../../shared/map/tile-drawer.ts';
import { townSize, withoutOverlaps } from '../../../shared/map/town-labels.ts';
import type { MapProps, Pin } from '../map/map.ts';
import { canvas, clusterSize } from '../map/pin-shapes.ts';
import { pinArt } from '../pin-art.ts';
import { useTranslations } from '../translations.ts';
import classes from './BuiltInMapLabels.module.css';
import { boxOf, longCredit, nearestTo, osmLink, useMap, useMapEvents } from './leaflet-map.tsx';

/** Map layer drawn locally, without a tile server. */
class BaseMap extends GridLayer {
  #drawer: TileDrawer | undefined;

  override onAdd(map: L.Map): this {
    this.#drawer = createTileDrawer();
    return super.onAdd(map);
  }

  override onRemove(map: L.Map): this {
    this.#drawer?.close();
    return super.onRemove(map);
  }

  /** The names of the counties in a part of the map, those of the larger ones first. */
  async countiesIn(bounds: LatLngBounds): Promise<NamedPoint[]> {
    const [from, to] = [bounds.getNorthWest(), bounds.getSouthEast()];
    const found = this.#drawer?.namesIn({ from: project(from.lng, from.lat), to: project(to.lng, to.lat) });
    return (await found) ?? [];
  }

  protected override createTile(tile: Coords, done: DoneCallback): HTMLElement {
    const { x, y, z } = tile;
    const canvas = document.createElement('canvas');
    const scale = drawnScale();
    canvas.width = 256 * scale;
    canvas.height = 256 * scale;
    const colors = colorsAt(this.getContainer() ?? canvas);
    this.#drawer?.draw({ tile: { x, y, z }, scale, colors }).then(
      (picture) => {
        canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(picture);
        done(undefined, canvas);
      },
      (error: Error) => done(error, canvas),
    );
    return canvas;
  }
}

/** A name or an icon on the map. */
interface MapLabel {
  name: string;
  position: Position;
  room: { width: number; height: number };
  /** Style of a town's name, by population. */
  size?: string;
  /** For a place, its icon; its name only where there is room. */
  type?: PlaceType;
  named: boolean;
}

/** At lower zooms the names of countries and states are enough, and are on the map already. */
const minZoom = 8;

/** The zooms at which counties are larger than their names, and smaller than the map. */
const countyZooms = { min: 8, max: 10 };

const placeZooms = { min: 13, named: 15 };

/** Minimum area for each town in pixels, so that the map is not crowded. */
const minPixelsPerTown = 24_000;

/** Maximum width of a place's name before it is wrapped, and the approximate width of a letter, in pixels. */
const maxNameWidth = 130;
const letter = 8;

/** A drag ends with several move events. */
const debounceMs = 300;

type Towns = OperationResponse<Operations['listTowns']>;
type Places = OperationResponse<Operations['listKnownPlaces']>;

const signOfTown = (town: Towns[number]): MapLabel => ({
  name: town.name,
  position: town.position,
  ...townSize(town),
  named: true,
});

const signOfCounty = ({ name, x, y }: NamedPoint): MapLabel => ({
  name,
  position: { lat: latitudeAt(y), lng: x * 360 - 180 },
  room: { width: name.length * 9.5 + 8, height: 24 },
  named: true,
});

function signOfPlace(
  { name, position, type }: { name: string; position: Position; type: PlaceType },
  zoom: number,
): MapLabel {
  const named = zoom >= placeZooms.named;
  const width = name.length * letter;
  const room = named
    ? { width: Math.min(width, maxNameWidth), height: 32 + 24 * Math.ceil(width / maxNameWidth) }
    : { width: 30, height: 30 };
  return { name, position, type, room, named };
}

/** The visible names, most important first. */
async function labelsOf(map: LeafletMap, ground: BaseMap, towns: Towns, places: Places): Promise<MapLabel[]> {
  const zoom = map.getZoom();
  const withCounties = zoom >= countyZooms.min && zoom <= countyZooms.max;
  const counties = withCounties ? await ground.countiesIn(map.getBounds()) : [];
  const { x, y } = map.getSize();
  const maxTowns = Math.ceil((x * y) / minPixelsPerTown);
  const [large, small] = [
    towns.filter(({ population }) => population >= 200_000),
    towns.filter(({ population }) => population < 200_000),
  ];
  return [
    ...large.map(signOfTown),
    ...counties.map(signOfCounty),
    ...small.slice(0, Math.max(0, maxTowns - large.length)).map(signOfTown),
    ...places.flatMap((place) => (place.type ? [signOfPlace({ ...place, type: place.type }, zoom)] : [])),
  ];
}

const svg = 'http://www.w3.org/2000/svg';

function glyphOf(type: PlaceType) {
  const drawing = document.createElementNS(svg, 'svg');
  drawing.setAttribute('viewBox', '0 0 20 20');
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', pinArt.ofPlace({ type }) ?? '');
  path.setAttribute('fill-rule', 'evenodd');
  drawing.append(path);
  return drawing;
}

function markerOf({ name, position, size, type, named }: MapLabel) {
  const html = document.createElement('span');
  html.ariaHidden = 'true';
  html.dataset.kind = type ? 'place' : size ? 'town' : 'county';
  if (size) html.dataset.size = size;
  if (type) {
    html.dataset.type = type;
    html.append(glyphOf(type));
  }
  if (named) {
    const word = document.createElement('span');
    word.textContent = name;
    html.append(word);
  }
  return new Marker(position, {
    icon: divIcon({ className: classes.sign ?? '', html, iconSize: [0, 0] }),
    interactive: false,
    keyboard: false,
    zIndexOffset: -10_000,
  });
}

/** The zoom of a map, and its corners as the places service takes them. */
function viewOf(map: LeafletMap) {
  const { west, south, east, north } = boxOf(map);
  const bbox = [west, south, east, north].map((degrees) => degrees.toFixed(4)).join();
  return { zoom: map.getZoom(), bbox };
}

/** The part of a map that a pin covers, in pixels. */
function roomOf({ kind, position: { lat, lng }, count = 0 }: Pin, map: LeafletMap) {
  const tip = map.latLngToLayerPoint([lat, nearestTo(map.getCenter().lng, lng)]);
  if (kind !== 'cluster') return { at: { x: tip.x, y: tip.y - canvas.height / 2 }, room: canvas };
  const size = clusterSize(count);
  return { at: tip, room: { width: size, height: size } };
}

/** Shows the names of towns and counties, and known places, on a map without tiles. */
function BuiltInMapLabels({ ground, pins }: { ground: BaseMap; pins: Pin[] }) {
  const map = useMap();
  const [moved, setMoved] = useState(() => viewOf(map));
  const [view] = useDebouncedValue(moved, debounceMs);
  const { zoom, bbox } = view;
  const { data: towns } = useResource('listTowns', zoom < minZoom ? null : { query: { bbox } });
  const { data: places } = useResource('listKnownPlaces', zoom < placeZooms.min ? null : { query: { bbox } });
  const [signs] = useState(() => new LayerGroup());
  useEffect(() => {
    signs.addTo(map);
    return () => {
      signs.remove();
    };
  }, [map, signs]);
  useMapEvents({ moveend: () => setMoved(viewOf(map)) });
  useEffect(() => {
    const draw = (found: MapLabel[]) => {
      signs.clearLayers();
      for (const sign of found) signs.addLayer(markerOf(sign));
    };
    if (zoom < minZoom) return draw([]);
    // Until those of another part of the map are loaded, the labels stay.
    if (!towns || (zoom >= placeZooms.min && !places)) return;
    let isCurrent = true;
    const middle = map.getCenter().lng;
    const inView = (sign: MapLabel) => {
      const { lat, lng } = sign.position;
      const position = { lat, lng: nearestTo(middle, lng) };
      return { ...sign, position, at: map.latLngToLayerPoint(position), isFixed: sign.type !== undefined };
    };
    const place = (found: MapLabel[]) =>
      withoutOverlaps(
        found.map(inView),
        pins.map((pin) => roomOf(pin, map)),
      ).map(({ at: { x, y }, ...sign }) => ({ ...sign, position: map.layerPointToLatLng([x, y]) }));
    labelsOf(map, ground, towns, places ?? []).then(
      (found) => isCurrent && draw(place(found)),
      (error) => console.warn('Could not load the names on the map', error),
    );
    return () => {
      isCurrent = false;
    };
  }, [map, ground, signs, zoom, towns, places, pins]);
  return null;
}

/** The built-in map of land, water, borders and names, with a scale. */
export function BuiltInMap({ pins }: Pick<MapProps, 'pins'>) {
  const map = useMap();
  const t = useTranslations();
  // What may be left out where there is little room: the data of both are in the public domain.
  const attribution = `${longCredit(`${t('withoutStreets')} | Natural Earth, US Census Bureau, `)}${osmLink}`;
  const [ground] = useState(() => new BaseMap({ zIndex: 0 }));
  useEffect(() => {
    // A layer of its own: the language may change, and a layer keeps its attribution.
    const credits = new LayerGroup([], { attribution }).addTo(map);
    return () => void credits.remove();
  }, [map, attribution]);
  useEffect(() => {
    ground.addTo(map);
    const metric = currentUnits() === 'metric';
    const scale = new Control.Scale({ position: 'bottomleft', metric, imperial: !metric }).addTo(map);
    // A tile keeps its colors. Mantine's hook would report changes too, but would be part of the first load.
    const scheme = new MutationObserver(() => ground.redraw());
    scheme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => {
      scheme.disconnect();
      ground.remove();
      scale.remove();
    };
  }, [map, ground]);
  return <BuiltInMapLabels ground={ground} pins={pins} />;
}
