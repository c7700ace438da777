import type { PlaceType } from '@wayquest/contracts';

/** 'Movie theater' */
export const typeWords = (type: PlaceType) => {
  const words = type.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};
