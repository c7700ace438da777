import type { Position } from '@wayquest/contracts';
import { useEffect, useState } from 'react';

const positionOptions = { timeout: 3_000, maximumAge: 600_000 };

/** Returns the position if the person has allowed it before, without asking; null otherwise. */
async function find(): Promise<Position | null> {
  const { state } = await navigator.permissions.query({ name: 'geolocation' });
  if (state !== 'granted') return null;
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude }),
      () => resolve(null),
      positionOptions,
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
