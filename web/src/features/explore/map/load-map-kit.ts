import { inTime } from '../../../shared/lib/in-time.ts';
import type { LoadMapKit } from './map.ts';

/** Loads Google's map if there is a key, otherwise the open map; never both. */
export const loadMapKit: LoadMapKit = async (settings) => {
  const { load } = settings.googleMapsApiKey
    ? await inTime(import('../google-map/google-map-kit.ts'))
    : await inTime(import('../open-map/open-map-kit.ts'));
  return load(settings);
};
