import type { FoundPosition } from './unsent-items.ts';

/** The device's position, or why there is none: the browser may not tell it, or does not find it. */
export type PositionResult = FoundPosition | 'denied' | 'not-found';

/** Satellites first; indoors and between high houses they are not found in time, and networks are near enough. */
const attempts: PositionOptions[] = [
  { enableHighAccuracy: true, maximumAge: 0, timeout: 10_000 },
  { enableHighAccuracy: false, maximumAge: 0, timeout: 10_000 },
];

/** Not the time that the browser reports: it may be by another clock. The position is new, since none from before is asked for. */
const findPosition = (options: PositionOptions) =>
  new Promise<PositionResult>((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude: lat, longitude: lng, accuracy } }) => resolve({ lat, lng, accuracy }),
      ({ code, PERMISSION_DENIED }) => resolve(code === PERMISSION_DENIED ? 'denied' : 'not-found'),
      options,
    );
  });

/** Returns the device's position: exact if it is found in time, otherwise coarse. */
export async function devicePosition(): Promise<PositionResult> {
  // Undefined on pages without https.
  if (!('geolocation' in navigator)) return 'denied';
  let result: PositionResult = 'not-found';
  for (const options of attempts) {
    result = await findPosition(options);
    if (result !== 'not-found') break;
  }
  return result;
}
