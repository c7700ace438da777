import { type Challenge, type Client, metresBetween, type Position } from '@wayquest/contracts';

/** Maximum distance of suggested challenges, in meters. */
const reach = '30000';
const kmADegree = 111.2;

/** Where to look for challenges: around a position, or in a town by its name. */
export type Whereabouts = { position: Position } | { town: string } | null;

/** Returns a bounding box with this distance in each direction, in the format of calls. */
export function boxAround({ lat, lng }: Position, km: number): string {
  const high = km / kmADegree;
  const wide = high / Math.cos((lat * Math.PI) / 180);
  const [west, east] = [Math.max(-180, lng - wide), Math.min(180, lng + wide)];
  const [south, north] = [Math.max(-90, lat - high), Math.min(90, lat + high)];
  return [west, south, east, north].map((edge) => edge.toFixed(3)).join(',');
}

const queryOf = (where: Whereabouts) => {
  if (!where) return {};
  if ('town' in where) return { search: where.town };
  return { near: `${where.position.lat},${where.position.lng}`, radius: reach };
};

/** Maximum page size of the service. */
const longest = 500;

/**
 * Returns the first wanted items of a list. Loads longer parts of it until there are enough, or no more.
 *
 * @param first - The limit of the first call.
 */
export async function firstWanted<C>(
  ask: (limit: string) => Promise<C[]>,
  isWanted: (challenge: C) => boolean,
  { count, first }: { count: number; first: number },
): Promise<C[]> {
  for (let limit = first; ; limit = Math.min(longest, limit * 5)) {
    const answer = await ask(String(limit));
    const wanted = answer.filter(isWanted);
    if (wanted.length >= count || answer.length < limit || limit === longest) return wanted.slice(0, count);
  }
}

/**
 * Returns challenges that are open today: the nearest to a position first, otherwise the newest.
 *
 * @param where - Null for anywhere.
 * @param isWanted - Filter; by default all.
 */
export async function openChallenges(
  api: Client,
  where: Whereabouts,
  count: number,
  isWanted?: (challenge: Challenge) => boolean,
): Promise<Challenge[]> {
  const found = await firstWanted(
    (limit) => api.listChallenges({ query: { scope: 'all', phase: 'open', limit, ...queryOf(where) } }),
    isWanted ?? (() => true),
    { count, first: isWanted ? count * 5 : count },
  );
  return where && 'position' in where ? byDistance(found, where.position) : found;
}

/** The nearest first; at the same place the newest, since stores return these in any order. */
function byDistance(found: Challenge[], from: Position): Challenge[] {
  const away = ({ position }: Challenge) => (position ? metresBetween(from, position) : Infinity);
  return found.toSorted((a, b) => away(a) - away(b) || b.id - a.id);
}
