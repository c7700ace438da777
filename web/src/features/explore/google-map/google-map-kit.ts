import type { LoadMapKit } from '../map/map.ts';
import { GoogleMap } from './GoogleMap.tsx';
import { createGoogleFinder } from './google-finder.ts';
import { loadGoogle } from './load-google.ts';

/** Google's map and places, by the key of the settings. */
export const load: LoadMapKit = async ({ googleMapsApiKey }) => {
  if (!googleMapsApiKey) throw new Error("Google's map needs a key");
  await loadGoogle(googleMapsApiKey);
  return { Map: GoogleMap, finder: createGoogleFinder() };
};
