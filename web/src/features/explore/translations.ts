import type { PlaceType } from '@wayquest/contracts';
import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/explore.ts';

export const { useTranslations, translate } = catalogue('explore', english);

/** The names of types of places, and the sentences for none of them. */
export const typeWords = {
  park: { name: 'park', none: 'noParks' },
  museum: { name: 'museum', none: 'noMuseums' },
  movie_theater: { name: 'movieTheater', none: 'noMovieTheaters' },
  tourist_attraction: { name: 'touristAttraction', none: 'noTouristAttractions' },
  night_club: { name: 'nightClub', none: 'noNightClubs' },
  library: { name: 'library', none: 'noLibraries' },
  restaurant: { name: 'restaurant', none: 'noRestaurants' },
} as const satisfies Record<PlaceType, { name: string; none: string }>;
