import { type Address, type Place, placeTypes } from '@wayquest/contracts';
import { splitAddress } from '../found-address.ts';
import { LookupError, type Photo, type PlaceFinder } from '../map/map.ts';
import { translate } from '../translations.ts';

/** In meters (spec, section 9). */
const radius = 50_000;

/** Google's page size. */
const maxResults = 20;

/** The pause after Google's limit was exceeded (spec, section 8). */
const pauseMs = 2_000;

/** The wide column of a window, for two device pixels per CSS pixel. */
const photoWidth = 640;

const overLimit = ['OVER_QUERY_LIMIT', 'RESOURCE_EXHAUSTED'];

const sentences: Partial<Record<string, 'noAddress' | 'mapBusy' | 'mapDenied'>> = {
  ZERO_RESULTS: 'noAddress',
  OVER_QUERY_LIMIT: 'mapBusy',
  RESOURCE_EXHAUSTED: 'mapBusy',
  REQUEST_DENIED: 'mapDenied',
  PERMISSION_DENIED: 'mapDenied',
};

/** Google's code of an error. */
const statusOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN_ERROR';

const failure = (status: string, cause?: unknown) =>
  new LookupError(status, translate(sentences[status] ?? 'mapSilent'), { cause });

async function callGoogle<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw failure(statusOf(error), error);
  }
}

const fields = ['displayName', 'formattedAddress', 'addressComponents', 'location', 'types'];

/** A part of an address in Google's geocoder and places. */
interface AddressPart {
  types: string[];
  long: string;
  short: string;
}

/** The type of a city depends on the country, and in New York on the borough. */
const cityTypes = ['locality', 'postal_town', 'sublocality', 'administrative_area_level_3'];

/** Returns an address in the contract's shape; from the formatted line if Google names no city. */
function addressOf(parts: AddressPart[], line: string): Address {
  const find = (type: string) => parts.find(({ types }) => types.includes(type));
  const long = (type: string) => find(type)?.long ?? '';
  const city = cityTypes.map(long).find(Boolean);
  if (!city) return splitAddress(line);
  return {
    streetAddress: [long('street_number'), long('route')].filter(Boolean).join(' '),
    city,
    state: find('administrative_area_level_1')?.short ?? '',
    zip: long('postal_code'),
  };
}

/** Returns a place; none if Google does not return its position. */
function placeOf(found: google.maps.places.Place): Place[] {
  if (!found.location) return [];
  const line = found.formattedAddress ?? '';
  const parts = (found.addressComponents ?? []).map(({ types, longText, shortText }) => ({
    types,
    long: longText ?? '',
    short: shortText ?? '',
  }));
  const address = addressOf(parts, line);
  return [
    {
      ...address,
      id: found.id,
      name: found.displayName || line,
      type: placeTypes.find((type) => found.types?.includes(type)) ?? null,
      vicinity: [address.streetAddress, address.city].filter(Boolean).join(', ') || line,
      position: found.location.toJSON(),
    },
  ];
}

const wordsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

const hasAllWords = (label: string, text: string) => {
  const own = new Set(wordsIn(label));
  return wordsIn(text).every((word) => own.has(word));
};

const partOf = ({ types, long_name: long, short_name: short }: google.maps.GeocoderAddressComponent) => ({
  types,
  long,
  short,
});

async function firstPhoto(id: string): Promise<Photo | null> {
  const { place } = await new google.maps.places.Place({ id }).fetchFields({ fields: ['photos'] });
  const [photo] = place.photos ?? [];
  if (!photo) return null;
  const credit = photo.authorAttributions.map(({ displayName }) => displayName).join(', ');
  return { url: photo.getURI({ maxWidth: photoWidth }), credit };
}

/**
 * Looks places up with Google, whose script must be loaded. Uses the newer of its two interfaces: the older one
 * (AutocompleteService, PlacesService) is closed to keys created since March 2025.
 */
export const createGoogleFinder = (): PlaceFinder => ({
  async suggest(text, near) {
    const { suggestions } = await callGoogle(() =>
      google.maps.places.AutocompleteSuggestion.fetchAutocompleteSuggestions({
        input: text,
        locationBias: { center: near, radius },
      }),
    );
    const found = suggestions.flatMap(({ placePrediction: one }) =>
      one ? [{ id: one.placeId, label: one.text.text, matchesAll: hasAllWords(one.text.text, text) }] : [],
    );
    return { found, isFallback: false };
  },

  async resolve({ id }) {
    const { place } = await callGoogle(() => new google.maps.places.Place({ id }).fetchFields({ fields }));
    const [found] = placeOf(place);
    if (!found) throw failure('ZERO_RESULTS');
    return found;
  },

  async reverse(location) {
    const { results } = await callGoogle(() => new google.maps.Geocoder().geocode({ location }));
    // Without an address Google returns a plus code.
    const found = results.find(({ types }) => !types.includes('plus_code'));
    if (!found) throw failure('ZERO_RESULTS');
    const label = found.formatted_address;
    return { ...addressOf(found.address_components.map(partOf), label), label };
  },

  async nearby(type, around) {
    const { places } = await callGoogle(() =>
      google.maps.places.Place.searchNearby({
        fields,
        includedTypes: [type],
        locationRestriction: { center: around, radius },
        maxResultCount: maxResults,
        rankPreference: google.maps.places.SearchNearbyRankPreference.DISTANCE,
      }),
    );
    // A place has many types; this is the requested one.
    return places.flatMap(placeOf).map((place) => ({ ...place, type }));
  },

  async photo({ id }) {
    try {
      return await firstPhoto(id);
    } catch (error) {
      console.warn('Google returned no photo', error);
      if (overLimit.includes(statusOf(error))) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return null;
    }
  },
});
