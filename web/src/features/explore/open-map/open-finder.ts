import { CallError, type Client, type FoundPlace, type Position } from '@wayquest/contracts';
import { translateCommon } from '../../../shared/i18n/common.ts';
import { sentenceOf } from '../../../shared/lib/errors.ts';
import type { RunSaga } from '../../../shared/lib/use-mutation.ts';
import { request } from '../../../shared/saga/request.ts';
import { LookupError, type PlaceFinder } from '../map/map.ts';
import { translate } from '../translations.ts';

const formatPosition = ({ lat, lng }: Position) => `${lat.toFixed(6)},${lng.toFixed(6)}`;

const suggestionOf = ({ matchesAll, ...place }: FoundPlace) => ({
  id: place.id,
  matchesAll,
  label: place.vicinity.startsWith(place.name)
    ? place.vicinity
    : [place.name, place.vicinity].filter(Boolean).join(', '),
  place,
});

/** Finds places with the places service. */
export function createOpenFinder(run: RunSaga): PlaceFinder {
  const call = async <R>(use: (client: Client) => Promise<R>): Promise<R> => {
    try {
      return await run((deps) => request(deps, use));
    } catch (error) {
      if (error instanceof CallError)
        throw new LookupError(error.status, sentenceOf(error), { cause: error });
      throw new LookupError('OFFLINE', translateCommon('unreachable'), { cause: error });
    }
  };
  return {
    suggest: async (text, near) => {
      let isFallback = false;
      const onHeaders = (headers: Headers) => {
        isFallback = headers.get('cache-control') === 'no-store';
      };
      const query = { text, near: formatPosition(near) };
      const places = await call((client) => client.searchPlaces({ query }, { onHeaders }));
      return { found: places.map(suggestionOf), isFallback };
    },
    async resolve({ place }) {
      if (!place) throw new LookupError(404, translate('placeGone'));
      return place;
    },
    reverse: (position) => call((client) => client.reversePlace({ query: { at: formatPosition(position) } })),
    nearby: (type, around) =>
      call((client) => client.nearbyPlaces({ query: { type, at: formatPosition(around) } })),
  };
}
