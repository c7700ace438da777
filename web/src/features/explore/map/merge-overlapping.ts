import type { ChallengeCluster, Position } from '@wayquest/contracts';
import { clusterSize } from './pin-shapes.ts';

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
  const apart: ChallengeCluster[] = [];
  const waiting = [...clusters];
  for (let cluster = waiting.pop(); cluster; cluster = waiting.pop()) {
    const candidate = cluster;
    const at = apart.findIndex((other) => overlap(candidate, other, zoom));
    const [other] = at < 0 ? [] : apart.splice(at, 1);
    // Larger and moved, it may overlap another one.
    if (other) waiting.push(merge(candidate, other));
    else apart.push(candidate);
  }
  return apart;
}
