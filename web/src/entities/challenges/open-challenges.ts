import {
  type Challenge,
  type Client,
  distanceInMeters,
  type Position,
  textLimits,
} from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { formatPosition } from '../../shared/lib/query-params.ts';
import { useQuery } from '../../shared/lib/use-query.ts';
import { useKnownPosition } from '../../shared/ui/use-position.ts';
import { selectAuthStatus, selectUser } from '../auth/slice.ts';

/** Maximum distance of suggested challenges, in meters. */
const maxDistance = '30000';

/** Where to look for challenges: around a position, or in a town by its name. */
export type SearchLocation = { position: Position } | { town: string; state?: string } | null;

/** Returns the position of a town if the places service knows it, otherwise only its name. */
export async function locateTown(api: Client, where: SearchLocation): Promise<SearchLocation> {
  if (!where || 'position' in where) return where;
  const { town, state } = where;
  // A state may be written in another way than the service knows it.
  for (const text of state ? [`${town}, ${state}`, town] : [town]) {
    const found = await api.searchPlaces({ query: { text: text.slice(0, textLimits.placeSearch) } });
    const place = found.find(({ matchesAll, type }) => matchesAll && type === null);
    if (place) return { position: place.position };
  }
  return where;
}

const queryOf = (where: SearchLocation) => {
  if (!where) return {};
  if ('town' in where) return { search: where.town };
  return { near: formatPosition(where.position), radius: maxDistance };
};

/** Maximum page size of the service. */
const maxPageSize = 500;

/**
 * Returns the first wanted items of a list. Loads longer parts of it until there are enough, or no more.
 *
 * @param first - The limit of the first call.
 */
export async function firstMatching<C>(
  load: (limit: string) => Promise<C[]>,
  matches: (challenge: C) => boolean,
  { count, first }: { count: number; first: number },
): Promise<C[]> {
  for (let limit = first; ; limit = Math.min(maxPageSize, limit * 5)) {
    const page = await load(String(limit));
    const matching = page.filter(matches);
    if (matching.length >= count || page.length < limit || limit === maxPageSize)
      return matching.slice(0, count);
  }
}

/**
 * Returns challenges that are open today: the nearest to a position first, otherwise the newest.
 *
 * @param where - Null for anywhere.
 * @param matches - Filter; by default all.
 */
export async function openChallenges(
  api: Client,
  where: SearchLocation,
  count: number,
  matches?: (challenge: Challenge) => boolean,
): Promise<Challenge[]> {
  const found = await firstMatching(
    (limit) => api.listChallenges({ query: { scope: 'all', phase: 'open', limit, ...queryOf(where) } }),
    matches ?? (() => true),
    { count, first: matches ? count * 5 : count },
  );
  return where && 'position' in where ? byDistance(found, where.position) : found;
}

/** The nearest first; at the same place the newest, since stores return these in any order. */
function byDistance(found: Challenge[], from: Position): Challenge[] {
  const distanceTo = ({ position }: Challenge) => (position ? distanceInMeters(from, position) : Infinity);
  return found.toSorted((a, b) => distanceTo(a) - distanceTo(b) || b.id - a.id);
}

/**
 * The position that challenges are listed around: the person's if their browser may share it already, otherwise that of the
 * town in their profile. Undefined while loading, null if neither is known.
 */
export function useListPosition(): Position | null | undefined {
  const device = useKnownPosition();
  const isStarting = useSelector(selectAuthStatus) === 'starting';
  const user = useSelector(selectUser);
  const town = user?.city.trim();
  const { state, data } = useQuery(
    device === null && town ? JSON.stringify([town, user?.state]) : null,
    (api) => locateTown(api, { town: town ?? '', state: user?.state.trim() ?? '' }),
  );
  if (device !== null) return device;
  if (isStarting) return undefined;
  if (!town) return null;
  if (state === 'idle' || state === 'loading') return undefined;
  return data && 'position' in data ? data.position : null;
}
