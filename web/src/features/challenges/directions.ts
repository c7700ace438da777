import type { Position } from '@wayquest/contracts';

/**
 * Returns a link for directions to a position: in the chosen maps app on Android (a `geo:` URI, RFC 5870), in Apple's
 * Maps on its devices, otherwise on openstreetmap.org.
 *
 * @param name - Shown at the position if the app can.
 */
export function directionsTo({ lat, lng }: Position, name: string, userAgent: string): string {
  const at = `${lat},${lng}`;
  if (userAgent.includes('Android')) {
    const label = encodeURIComponent(name.replaceAll(/[()]/g, ' '));
    return `geo:${at}?q=${at}(${label})`;
  }
  if (/iPhone|iPad|Macintosh/.test(userAgent)) return `https://maps.apple.com/?daddr=${at}`;
  return `https://www.openstreetmap.org/directions?to=${encodeURIComponent(at)}`;
}
