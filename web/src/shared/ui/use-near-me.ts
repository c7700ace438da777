import type { Position } from '@wayquest/contracts';
import { useState } from 'react';

const patience = { timeout: 10_000, maximumAge: 60_000 };

/**
 * Asks the browser where the person is, when they press for it and never before.
 *
 * @returns How to ask, whether that is under way, and why it failed until that is forgotten: each page says itself what can be
 * done instead.
 */
export function useNearMe(onFound: (position: Position) => void) {
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<'denied' | 'unknown' | null>(null);
  const ask = () => {
    setAsking(true);
    setFailure(null);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setAsking(false);
        onFound({ lat: coords.latitude, lng: coords.longitude });
      },
      ({ code, PERMISSION_DENIED }) => {
        setAsking(false);
        setFailure(code === PERMISSION_DENIED ? 'denied' : 'unknown');
      },
      patience,
    );
  };
  return { ask, asking, failure, forget: () => setFailure(null) };
}
