import { useEffect, useState } from 'react';
import { loadPart } from '../../shared/lib/load-part.ts';
import { useRunSaga } from '../../shared/lib/use-mutation.ts';
import { useResource } from '../../shared/lib/use-resource.ts';
import type { LoadMapKit, MapKit } from './map/map.ts';

/** Loads Google's map if there is a key, otherwise the open map; never both. */
const loadMapKit: LoadMapKit = async (settings, run) => {
  const { load } = settings.googleMapsApiKey
    ? await loadPart(() => import('./google-map/GoogleMap.tsx'))
    : await loadPart(() => import('./open-map/OpenMap.tsx'));
  return load(settings, run);
};

/** Returns the configured map with its settings, once they and its code are loaded. */
export function useMapKit() {
  const { data: settings, error, refetch } = useResource('getSettings', {});
  const [kit, setKit] = useState<MapKit | null>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const run = useRunSaga();
  useEffect(() => {
    if (!settings) return;
    let isCurrent = true;
    setFailed(false);
    loadMapKit(settings, run).then(
      (loaded) => isCurrent && setKit(loaded),
      (error) => {
        console.warn(`The map did not load (attempt ${attempt + 1})`, error);
        if (isCurrent) setFailed(true);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [settings, run, attempt]);
  const retry = error ? refetch : () => setAttempt(attempt + 1);
  return { kit, settings, failed: failed || error !== null, retry };
}
