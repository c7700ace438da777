import type { PlaceType } from '@wayquest/contracts';

/** 'Movie theater' */
export const typeWords = (type: PlaceType) => {
  const words = type.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** 'movie theaters' */
export const typePlural = (type: PlaceType) => `${type.replaceAll('_', ' ').replace(/y$/, 'ie')}s`;
