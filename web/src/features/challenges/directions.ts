import type { Position } from '@wayquest/contracts';

/**
 * The link that opens the way to a position: in the maps app that is chosen on Android (a `geo:` URI, RFC 5870), in Apple's Maps on
 * its devices, on openstreetmap.org elsewhere.
 *
 * @param name - Shown beside the position where the app can.
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
