import { useElementSize } from '@mantine/hooks';
import type { Position } from '@wayquest/contracts';
import { useEffect, useRef, useState } from 'react';
import { shallowEqual } from 'react-redux';
import { Link } from 'react-router-dom';
import { catalogue } from '../i18n/catalogue.ts';
import english from '../i18n/en/map.ts';
import { useResource } from '../lib/use-resource.ts';
import classes from './MiniMap.module.css';
import { mapColors } from './map-colors.ts';
import { latitudeAt, tileSize } from './mercator.ts';
import { type MiniView, positionInView, tilesOf, viewOf, worldSize } from './mini-view.ts';
import { colorsAt, createTileDrawer, drawnScale } from './tile-drawer.ts';
import { townSize, withoutOverlaps } from './town-labels.ts';

const { useTranslations } = catalogue('map', english);

/** A link on a small map. */
export interface MapLink {
  id: number;
  name: string;
  position: Position;
  to: string;
}

export interface MiniMapProps {
  /** Accessible name of the map. */
  label: string;
  /** At least one. */
  spots: MapLink[];
  /** The URL of several spots that are too close to each other. */
  toSeveral(middle: Position, zoom: number): string;
}

/** Spots that are too close to be told apart or tapped separately. */
interface Dot {
  at: { x: number; y: number };
  spots: [MapLink, ...MapLink[]];
}

/** Minimum size of a touch target, in pixels. */
const minTouchTarget = 44;

/** How many spots of a group are listed by name. */
const maxNamed = 5;

/** At lower zooms, the drawn map contains names. */
const minZoomOfTowns = 8;

function dotsIn(view: MiniView, spots: MapLink[]): Dot[] {
  const dots: Dot[] = [];
  for (const spot of spots) {
    const at = positionInView(view, spot.position);
    const near = dots.find((dot) => Math.hypot(dot.at.x - at.x, dot.at.y - at.y) < minTouchTarget);
    if (near) near.spots.push(spot);
    else dots.push({ at, spots: [spot] });
  }
  return dots;
}

/** The bounding box of a view's tiles: rounder numbers than its own edges. */
function boxOf(view: MiniView): string {
  const tiles = tilesOf(view);
  const world = worldSize(view);
  const [west, east] = [
    view.left + Math.min(...tiles.map(({ left }) => left)),
    view.left + Math.max(...tiles.map(({ left }) => left)) + view.tile,
  ];
  const [north, south] = [
    view.top + Math.min(...tiles.map(({ top }) => top)),
    view.top + Math.max(...tiles.map(({ top }) => top)) + view.tile,
  ];
  const longitude = (x: number) => (((((x / world) % 1) + 1) % 1) * 360 - 180).toFixed(4);
  const latitude = (y: number) => latitudeAt(y / world).toFixed(4);
  return [longitude(west), latitude(south), longitude(east), latitude(north)].join();
}

/** Counts changes of the color scheme: a canvas keeps the colors that it was drawn in. */
function useColorSchemeChanges(): number {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const scheme = new MutationObserver(() => setTimes((before) => before + 1));
    scheme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => scheme.disconnect();
  }, []);
  return times;
}

function BaseLayer({ view }: { view: MiniView }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const recolored = useColorSchemeChanges();
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again in other colors
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    const scale = drawnScale();
    const [width, height] = [Math.round(view.width * scale), Math.round(view.height * scale)];
    // Setting its size clears it, even to the same one: in other colors, the old ones stay until the new ones are drawn.
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const colors = colorsAt(canvas);
    const drawer = createTileDrawer();
    const size = view.tile * scale;
    const drawn = tilesOf(view).map(async ({ tile, left, top }) => {
      const picture = await drawer.draw({ tile, scale: size / tileSize, colors });
      // Whole pixels: a fraction of one between two tiles would be visible as a line.
      context.drawImage(picture, Math.floor(left * scale), Math.floor(top * scale), size + 1, size + 1);
    });
    // Failed tiles remain land; the failure was logged.
    void Promise.allSettled(drawn).then(drawer.close);
    return drawer.close;
  }, [view, recolored]);
  return <canvas ref={ref} className={classes.ground} />;
}

/** Size of the attribution in the lower right corner. */
const credit = { width: 190, height: 36 };

/** The names of larger towns that overlap neither each other nor an edge. */
function Towns({ view, dots }: { view: MiniView; dots: Dot[] }) {
  const box = view.zoom < minZoomOfTowns ? null : boxOf(view);
  const { data: response } = useResource('listTowns', box === null ? null : { query: { bbox: box } });
  const towns = (response ?? []).map((town) => ({
    name: town.name,
    at: positionInView(view, town.position),
    ...townSize(town),
  }));
  const isFullyVisible = ({ room, at }: (typeof towns)[number]) => {
    const half = room.width / 2 + 4;
    const right = at.x + half;
    if (at.x < half || right > view.width || at.y < 16 || at.y > view.height - 16) return false;
    return right < view.width - credit.width || at.y < view.height - credit.height;
  };
  const isFreeSpace = ({ room, at }: (typeof towns)[number]) =>
    !dots.some((dot) => Math.abs(dot.at.x - at.x) < room.width / 2 + 16 && Math.abs(dot.at.y - at.y) < 24);
  return withoutOverlaps(towns.filter(isFullyVisible).filter(isFreeSpace)).map(({ name, at, size }) => (
    <span
      key={`${name} ${at.x}`}
      className={classes.town}
      data-size={size}
      aria-hidden
      style={{ left: at.x, top: at.y }}
    >
      {name}
    </span>
  ));
}

/** The side on which there is room for a name. */
const sideOf = (x: number, width: number) =>
  x < width / 3 ? 'start' : x > (width * 2) / 3 ? 'end' : 'middle';

function MapContent({ label, spots, toSeveral, view }: MiniMapProps & { view: MiniView }) {
  const t = useTranslations();
  const dots = dotsIn(view, spots);
  return (
    <>
      <BaseLayer view={view} />
      <Towns view={view} dots={dots} />
      <small className={classes.credit}>{t('credit')}</small>
      <ul aria-label={label} className={classes.dots}>
        {dots.map(({ at, spots: [first, ...others] }) => {
          const count = others.length + 1;
          const names = [first, ...others].slice(0, maxNamed).map(({ name }) => name);
          if (count > maxNamed) names.push('…');
          return (
            <li key={first.id} style={{ left: at.x, top: at.y }}>
              <Link
                to={others.length ? toSeveral(first.position, view.zoom + 2) : first.to}
                data-several={others.length > 0 || undefined}
              >
                {others.length > 0 && <b aria-hidden>{count}</b>}
                <span data-side={sideOf(at.x, view.width)} data-below={at.y < view.height / 2 || undefined}>
                  {others.length ? t('several', { count, names: names.join(', ') }) : first.name}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** A static map of land and towns only, with labeled dots that are links. */
export default function MiniMap(props: MiniMapProps) {
  const { ref, width, height } = useElementSize();
  const [view, setView] = useState<MiniView>();
  const { spots } = props;
  useEffect(() => {
    const positions = spots.map(({ position }) => position);
    if (width === 0) return;
    const next = viewOf(positions, { width: Math.round(width), height: Math.round(height) });
    // The same spots in a new array, as after a change of the language: the map need not be drawn again.
    setView((before) => (shallowEqual(before, next) ? before : next));
  }, [spots, width, height]);
  return (
    <div ref={ref} className={`${classes.map} ${mapColors}`}>
      {view && <MapContent {...props} view={view} />}
    </div>
  );
}
