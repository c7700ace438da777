import { difficulties } from '@wayquest/contracts';
import type { ChallengesAsked } from '../../entities/challenges/slice.ts';
import { among, readPosition } from '../../shared/lib/in-address.ts';

export const phases = ['open', 'upcoming', 'ended'] as const;
export const orders = ['newest', 'nearest', 'ending', 'joined'] as const;

/** What the address bar says of the list; what is missing or makes no sense leaves nothing out. */
export function readAddress(query: URLSearchParams): ChallengesAsked {
  const near = readPosition(query.get('near'));
  const sort = among(orders, query.get('sort')) ?? 'newest';
  return {
    search: query.get('search')?.slice(0, 80) ?? '',
    phase: among(phases, query.get('phase')),
    difficulty: among(difficulties, query.get('difficulty')),
    sort: sort === 'nearest' && !near ? 'newest' : sort,
    near,
  };
}

/** The same as a query, without what goes without saying. Three decimals are about a hundred metres. */
export function writeAddress({ search, phase, difficulty, sort, near }: ChallengesAsked): URLSearchParams {
  const query = new URLSearchParams();
  if (search) query.set('search', search);
  if (phase) query.set('phase', phase);
  if (difficulty) query.set('difficulty', difficulty);
  if (sort !== 'newest') query.set('sort', sort);
  if (near) query.set('near', `${Number(near.lat.toFixed(3))},${Number(near.lng.toFixed(3))}`);
  return query;
}

/** Whether some challenges are left out. */
export const isNarrowed = ({ search, phase, difficulty }: ChallengesAsked) =>
  Boolean(search.trim() || phase || difficulty);
