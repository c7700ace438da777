import type { Position } from '@wayquest/contracts';

/** Where the map starts (spec, section 9). */
export const mapStart: Position = { lat: 40.76, lng: -73.82 };
