import type { Position } from '@wayquest/contracts';

/** The way to a place on the map, with the window of a challenge there open if one is named. */
export const onMap = ({ lat, lng }: Position, zoom: number, challengeId?: number): string =>
  `/explore?at=${lat},${lng}&zoom=${zoom}${challengeId ? `&challenge=${challengeId}` : ''}`;
