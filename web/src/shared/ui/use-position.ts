import type { Position } from '@wayquest/contracts';
import { useEffect, useState } from 'react';

const knownPositionOptions = { timeout: 3_000, maximumAge: 600_000 };

/** Returns the position if the person has allowed it before, without asking; null otherwise. */
async function find(): Promise<Position | null> {
  const { state } = await navigator.permissions.query({ name: 'geolocation' });
  if (state !== 'granted') return null;
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude }),
      () => resolve(null),
      knownPositionOptions,
    );
  });
}

let finding: Promise<Position | null> | undefined;

/** Concurrent calls share one request. */
function findOnce(): Promise<Position | null> {
  // In browsers without the permissions API it is unknown.
  finding ??= find()
    .catch(() => null)
    .finally(() => {
      finding = undefined;
    });
  return finding;
}

/** The person's position if the browser may share it already; undefined while loading, null if unknown. */
export function useKnownPosition(): Position | null | undefined {
  const [position, setPosition] = useState<Position | null>();
  useEffect(() => {
    findOnce().then(setPosition);
  }, []);
  return position;
}

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
