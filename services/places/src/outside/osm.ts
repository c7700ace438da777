import { type Address, PlaceType } from '@wayquest/contracts';
import { z } from 'zod';

/** How OpenStreetMap tags each kind of place. */
export const osmTags: Record<PlaceType, readonly [key: string, value: string]> = {
  park: ['leisure', 'park'],
  museum: ['tourism', 'museum'],
  movie_theater: ['amenity', 'cinema'],
  tourist_attraction: ['tourism', 'attraction'],
  night_club: ['amenity', 'nightclub'],
  library: ['amenity', 'library'],
  restaurant: ['amenity', 'restaurant'],
};

/** The kind of place that a tag stands for; none: something else. */
export const typeOfTag = (key = '', value = ''): PlaceType | null =>
  PlaceType.options.find((type) => osmTags[type][0] === key && osmTags[type][1] === value) ?? null;

export const Latitude = z.number().min(-90).max(90);
export const Longitude = z.number().min(-180).max(180);

/** Where something is, in a line behind its name. */
export const vicinityOf = ({ streetAddress, city, state }: Address): string =>
  [streetAddress, city, state].filter(Boolean).join(', ');
