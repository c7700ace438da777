import Supercluster from 'supercluster';
import type { Pin, View } from './map.ts';

/** The numbers of the spec, section 9. The grid is in pixels, on tiles of 256. */
const options = { radius: 60, extent: 256, minPoints: 2, maxZoom: 16 };

export interface ClusteredPins {
  /** The pins of a view, those that lie close together as one. */
  inView(view: Pick<View, 'box' | 'zoom'>): Pin[];
  /** The zoom at which a cluster falls apart. */
  expansionZoom(cluster: Pin): number;
}

const prefix = 'cluster:';

/** Groups pins on every zoom of a map. */
export function clusterPins(pins: Pin[]): ClusteredPins {
  const index = new Supercluster<Pin, object>({ ...options, map: () => ({}) }).load(
    pins.map((pin) => ({
      type: 'Feature',
      properties: pin,
      geometry: { type: 'Point', coordinates: [pin.position.lng, pin.position.lat] },
    })),
  );
  return {
    inView: ({ box: { west, south, east, north }, zoom }) =>
      index.getClusters([west, south, east, north], Math.floor(zoom)).map(({ properties, geometry }) => {
        if (!('cluster' in properties)) return properties;
        const [lng = 0, lat = 0] = geometry.coordinates;
        const { cluster_id: id, point_count: count } = properties;
        return {
          id: `${prefix}${id}`,
          kind: 'cluster',
          position: { lat, lng },
          label: `${count} challenges here. Zoom in`,
          count,
        };
      }),
    expansionZoom: ({ id }) => index.getClusterExpansionZoom(Number(id.slice(prefix.length))),
  };
}
