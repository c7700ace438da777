import type { Position } from '@wayquest/contracts';
import { useState } from 'react';

const positionOptions = { timeout: 10_000, maximumAge: 60_000 };

/**
 * Requests the person's position when they press a button, and never before.
 *
 * @returns A function to request it, whether that is in progress, and an error until it is dismissed: each page offers
 * its own alternative.
 */
export function useNearMe(onFound: (position: Position) => void) {
  const [isRequesting, setRequesting] = useState(false);
  const [failure, setFailure] = useState<'denied' | 'unknown' | null>(null);
  const request = () => {
    setRequesting(true);
    setFailure(null);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setRequesting(false);
        onFound({ lat: coords.latitude, lng: coords.longitude });
      },
      ({ code, PERMISSION_DENIED }) => {
        setRequesting(false);
        setFailure(code === PERMISSION_DENIED ? 'denied' : 'unknown');
      },
      positionOptions,
    );
  };
  return { request, isRequesting, failure, clear: () => setFailure(null) };
}
