import { lazyClient } from '../../../shared/lib/api.ts';
import { browserTokens } from '../../../shared/lib/tokens.ts';
import type { LoadMapKit } from '../map/map.ts';
import { OpenMap } from './OpenMap.tsx';
import { createOpenFinder } from './open-finder.ts';

/** The map that needs nobody's key: Leaflet, with places from the places service. */
export const load: LoadMapKit = async () => ({
  Map: OpenMap,
  finder: createOpenFinder(lazyClient(browserTokens)),
});
