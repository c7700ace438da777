import Supercluster from 'supercluster';
import { translate } from '../translations.ts';
import type { Pin, View } from './map.ts';

/** The values of the spec, section 9. The grid is in pixels, on tiles of 256. */
const options = { radius: 60, extent: 256, minPoints: 2, maxZoom: 16 };

export interface ClusteredPins {
  /** The pins of a view; close ones are clustered. */
  inView(view: Pick<View, 'box' | 'zoom'>): Pin[];
  /** The zoom at which a cluster separates. */
  expansionZoom(cluster: Pin): number;
}

const prefix = 'cluster:';

/** The distance between pins at the same position, in pixels. */
const apart = 30;

/** Pins at the same position hide each other; beyond the zoom of clusters they are arranged around it. */
function fanOut(pins: Pin[], zoom: number): Pin[] {
  const atSpot = new Map<string, number>();
  const degrees = (apart * 360) / (options.extent * 2 ** zoom);
  return pins.map((pin) => {
    const { lat, lng } = pin.position;
    const before = atSpot.get(`${lat},${lng}`) ?? 0;
    atSpot.set(`${lat},${lng}`, before + 1);
    if (before === 0) return pin;
    const angle = before * (Math.PI / 3);
    const reach = degrees * Math.ceil(before / 6);
    return {
      ...pin,
      position: { lat: lat + reach * 0.75 * Math.cos(angle), lng: lng + reach * Math.sin(angle) },
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
