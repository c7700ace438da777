import type { WebSettings } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { loadMapKit } from './map/load-map-kit.ts';
import type { MapKit } from './map/map.ts';

/** Returns the configured map, once its code is loaded. */
export function useMapKit(settings: WebSettings | null) {
  const [kit, setKit] = useState<MapKit | null>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!settings) return;
    let wanted = true;
    setFailed(false);
    loadMapKit(settings).then(
      (loaded) => wanted && setKit(loaded),
      (error) => {
        console.warn(`The map did not load (attempt ${attempt + 1})`, error);
        if (wanted) setFailed(true);
      },
    );
    return () => {
      wanted = false;
    };
  }, [settings, attempt]);
  return { kit, failed, retry: () => setAttempt(attempt + 1) };
}
