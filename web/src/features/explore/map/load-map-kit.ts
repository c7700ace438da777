import { inTime } from '../../../shared/lib/in-time.ts';
import type { LoadMapKit } from './map.ts';

/** Google's map where there is a key for it, the open map otherwise; only one of the two is ever loaded. */
export const loadMapKit: LoadMapKit = async (settings) => {
  const { load } = settings.googleMapsApiKey
    ? await inTime(import('../google-map/google-map-kit.ts'))
    : await inTime(import('../open-map/open-map-kit.ts'));
  return load(settings);
};
