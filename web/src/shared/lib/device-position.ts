import type { DevicePosition } from '@wayquest/contracts';

const patience = { enableHighAccuracy: true, maximumAge: 0, timeout: 10_000 };

/** Where the device says that it is now; nothing where it does not know, or the person keeps it to themselves. */
export const devicePosition = (): Promise<DevicePosition | undefined> =>
  new Promise((resolve) => {
    // There is none where the page came without https.
    if (!('geolocation' in navigator)) return resolve(undefined);
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude: lat, longitude: lng, accuracy }, timestamp }) =>
        resolve({ lat, lng, accuracy, takenAt: new Date(timestamp).toISOString() }),
      () => resolve(undefined),
      patience,
    );
  });
