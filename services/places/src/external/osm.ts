import { type Address, PlaceType } from '@wayquest/contracts';
import { z } from 'zod';

/** OpenStreetMap's tag of each type of place. */
export const osmTags: Record<PlaceType, readonly [key: string, value: string]> = {
  park: ['leisure', 'park'],
  museum: ['tourism', 'museum'],
  movie_theater: ['amenity', 'cinema'],
  tourist_attraction: ['tourism', 'attraction'],
  night_club: ['amenity', 'nightclub'],
  library: ['amenity', 'library'],
  restaurant: ['amenity', 'restaurant'],
};

/** The type of place of a tag; null for any other tag. */
export const typeOfTag = (key = '', value = ''): PlaceType | null =>
  PlaceType.options.find((type) => osmTags[type][0] === key && osmTags[type][1] === value) ?? null;

export const Latitude = z.number().min(-90).max(90);
export const Longitude = z.number().min(-180).max(180);

/** The address in one line, shown after the name. */
export const vicinityOf = ({ streetAddress, city, state }: Address): string =>
  [streetAddress, city, state].filter(Boolean).join(', ');
