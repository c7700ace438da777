import { type Challenge, distanceInMeters, type Position } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { formatPosition } from '../../shared/lib/query-params.ts';
import { loading } from '../../shared/lib/request-status.ts';
import { useResource } from '../../shared/lib/use-resource.ts';
import { type SearchLocation, useLocated } from './search-location.ts';

/** Maximum distance of suggested challenges, in meters. */
const maxDistance = '30000';

/** The query of open challenges at a place. */
const queryOf = (where: SearchLocation): { search?: string; near?: string; radius?: string } => {
  if (!where) return {};
  if ('town' in where) return { search: where.town };
  return { near: formatPosition(where.position), radius: maxDistance };
};

/** Maximum page size of the service. */
const maxPageSize = 500;

interface Wanted {
  matches: (challenge: Challenge) => boolean;
  count: number;
  /** The limit of the first call. */
  first: number;
}

/** Returns the first open challenges that match. Loads longer parts of the list until there are enough, or no more. */
export function useFirstMatching(
  query: ReturnType<typeof queryOf> | null,
  { matches, count, first }: Wanted,
) {
  const [limit, setLimit] = useState(first);
  const list = useResource(
    'listChallenges',
    query && { query: { scope: 'all', phase: 'open', limit: String(limit), ...query } },
  );
  const matching = list.data?.filter(matches).slice(0, count);
  const isShort =
    matching !== undefined && matching.length < count && limit < maxPageSize && list.data?.length === limit;
  useEffect(() => {
    if (isShort) setLimit(Math.min(maxPageSize, limit * 5));
  }, [isShort, limit]);
  return isShort ? { ...list, ...loading, data: null } : { ...list, data: matching ?? null };
}

/**
 * Returns challenges that are open today: the nearest to a position first, otherwise the newest.
 *
 * @param where - Null for anywhere; undefined if it is not known yet.
 * @param matches - Filter; by default all.
 */
export function useOpenChallenges(
  where: SearchLocation | undefined,
  count: number,
  matches?: (challenge: Challenge) => boolean,
) {
  const located = useLocated(where);
  const place = located.data;
  const found = useFirstMatching(place === undefined ? null : queryOf(place), {
    ...{ matches: matches ?? (() => true), count, first: matches ? count * 5 : count },
  });
  const from = place && 'position' in place ? place.position : null;
  if (place === undefined) return { ...located, data: null, from };
  return { ...found, data: found.data && from ? byDistance(found.data, from) : found.data, from };
}

/** The nearest first; at the same place the newest, since stores return these in any order. */
function byDistance(found: Challenge[], from: Position): Challenge[] {
  const distanceTo = ({ position }: Challenge) => (position ? distanceInMeters(from, position) : Infinity);
  return found.toSorted((a, b) => distanceTo(a) - distanceTo(b) || b.id - a.id);
}
