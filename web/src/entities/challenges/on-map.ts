import type { Position } from '@wayquest/contracts';

/** Returns the URL of a position on the map, with the window of a challenge open if one is given. */
export const mapUrl = ({ lat, lng }: Position, zoom: number, challengeId?: number): string =>
  `/explore?at=${lat},${lng}&zoom=${zoom}${challengeId ? `&challenge=${challengeId}` : ''}`;
