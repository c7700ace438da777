import type { ChallengeCluster, Position } from '@wayquest/contracts';
import Supercluster from 'supercluster';
import { translate } from '../translations.ts';
import type { Pin, View } from './map.ts';
import { clusterSize } from './pin-shapes.ts';

/** The values of the spec, section 9. The grid is in pixels, on tiles of 256. */
const options = { radius: 60, extent: 256, minPoints: 2, maxZoom: 16 };

interface ClusteredPins {
  /** The pins of a view; close ones are clustered. */
  inView(view: Pick<View, 'box' | 'zoom'>): Pin[];
  /** The zoom at which a cluster separates. */
  expansionZoom(cluster: Pin): number;
}

const prefix = 'cluster:';

/** The distance between pins at the same position, in pixels. */
const fanDistance = 30;

/** Pins at the same position hide each other; beyond the zoom of clusters they are arranged around it. */
function fanOut(pins: Pin[], zoom: number): Pin[] {
  const atSpot = new Map<string, number>();
  const degrees = (fanDistance * 360) / (options.extent * 2 ** zoom);
  return pins.map((pin) => {
    const { lat, lng } = pin.position;
    const index = atSpot.get(`${lat},${lng}`) ?? 0;
    atSpot.set(`${lat},${lng}`, index + 1);
    if (index === 0) return pin;
    const angle = index * (Math.PI / 3);
    const radius = degrees * Math.ceil(index / 6);
    return {
      ...pin,
      position: { lat: lat + radius * 0.75 * Math.cos(angle), lng: lng + radius * Math.sin(angle) },
    };
  });
}

/** Clusters pins for every zoom. */
export function clusterPins(pins: Pin[]): ClusteredPins {
  const index = new Supercluster<Pin, object>({ ...options, map: () => ({}) }).load(
    pins.map((pin) => ({
      type: 'Feature',
      properties: pin,
      geometry: { type: 'Point', coordinates: [pin.position.lng, pin.position.lat] },
    })),
  );
  return {
    inView: ({ box: { west, south, east, north }, zoom }) => {
      const found = index
        .getClusters([west, south, east, north], Math.floor(zoom))
        .map(({ properties, geometry }): Pin => {
          if (!('cluster' in properties)) return properties;
          const [lng = 0, lat = 0] = geometry.coordinates;
          const { cluster_id: id, point_count: count } = properties;
          return {
            id: `${prefix}${id}`,
            kind: 'cluster',
            position: { lat, lng },
            label: translate('manyPins', { count }),
            count,
          };
        });
      return zoom > options.maxZoom ? fanOut(found, zoom) : found;
    },
    expansionZoom: ({ id }) => index.getClusterExpansionZoom(Number(id.slice(prefix.length))),
  };
}

/** Width of the world at zoom 0, in pixels. */
const worldSize = 256;

const pixelsOf = ({ lat, lng }: Position, zoom: number) => {
  const size = worldSize * 2 ** zoom;
  const y = Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI;
  return { x: ((lng + 180) / 360) * size, y: ((1 - y) / 2) * size };
};

/** Touching circles count as overlapping. */
function overlap(one: ChallengeCluster, other: ChallengeCluster, zoom: number): boolean {
  const [a, b] = [pixelsOf(one.position, zoom), pixelsOf(other.position, zoom)];
  return Math.hypot(a.x - b.x, a.y - b.y) < (clusterSize(one.count) + clusterSize(other.count)) / 2;
}

function merge(one: ChallengeCluster, other: ChallengeCluster): ChallengeCluster {
  const count = one.count + other.count;
  const newer = one.newest > other.newest ? one : other;
  const mean = (a: number, b: number) => (a * one.count + b * other.count) / count;
  return {
    position: {
      lat: mean(one.position.lat, other.position.lat),
      lng: mean(one.position.lng, other.position.lng),
    },
    count,
    newest: newer.newest,
    city: newer.city,
    bbox: {
      west: Math.min(one.bbox.west, other.bbox.west),
      south: Math.min(one.bbox.south, other.bbox.south),
      east: Math.max(one.bbox.east, other.bbox.east),
      north: Math.max(one.bbox.north, other.bbox.north),
    },
  };
}

/**
 * Merges clusters that overlap: the server counts by tiles, and clusters near a tile's edge may overlap its neighbor's.
 *
 * @returns Clusters of which no two overlap.
 */
export function mergeOverlapping(clusters: ChallengeCluster[], zoom: number): ChallengeCluster[] {
  const separate: ChallengeCluster[] = [];
  const queue = [...clusters];
  for (let cluster = queue.pop(); cluster; cluster = queue.pop()) {
    const candidate = cluster;
    const at = separate.findIndex((other) => overlap(candidate, other, zoom));
    const [other] = at < 0 ? [] : separate.splice(at, 1);
    // Larger and moved, it may overlap another one.
    if (other) queue.push(merge(candidate, other));
    else separate.push(candidate);
  }
  return separate;
}
