import type { Position } from '@wayquest/contracts';
import { useEffect, useState } from 'react';

const patience = { timeout: 3_000, maximumAge: 600_000 };

/** Where the person is, if they have let us know before: nobody is asked. Nothing until that is known, null if it is not. */
async function find(): Promise<Position | null> {
  const { state } = await navigator.permissions.query({ name: 'geolocation' });
  if (state !== 'granted') return null;
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude }),
      () => resolve(null),
      patience,
    );
  });
}

let finding: Promise<Position | null> | undefined;

/** All who ask meanwhile share one answer. */
function findOnce(): Promise<Position | null> {
  // In browsers without the permissions API it is unknown.
  finding ??= find()
    .catch(() => null)
    .finally(() => {
      finding = undefined;
    });
  return finding;
}

/** The position of the person where the browser may share it already; undefined until that is known, null if it is not. */
export function useKnownPosition(): Position | null | undefined {
  const [position, setPosition] = useState<Position | null>();
  useEffect(() => {
    findOnce().then(setPosition);
  }, []);
  return position;
}
