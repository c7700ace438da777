import type { DevicePosition } from '@wayquest/contracts';

const positionOptions = { enableHighAccuracy: true, maximumAge: 0, timeout: 10_000 };

/** Returns the device's position; undefined if it is unknown or the person refuses. */
export const devicePosition = (): Promise<DevicePosition | undefined> =>
  new Promise((resolve) => {
    // Undefined on pages without https.
    if (!('geolocation' in navigator)) return resolve(undefined);
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude: lat, longitude: lng, accuracy }, timestamp }) =>
        resolve({ lat, lng, accuracy, takenAt: new Date(timestamp).toISOString() }),
      () => resolve(undefined),
      positionOptions,
    );
  });
