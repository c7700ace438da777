import { difficulties, scenes } from '@wayquest/contracts';
import type { ChallengesQuery } from '../../entities/challenges/slice.ts';
import { among, readPosition } from '../../shared/lib/query-params.ts';

export const phases = ['open', 'upcoming', 'ended'] as const;
/** In kilometers. */
export const reaches = [1, 5, 25, 100];
export const orders = ['newest', 'nearest', 'ending', 'joined'] as const;

/** Parses the URL of the list; missing and invalid values filter nothing. */
export function readAddress(query: URLSearchParams): ChallengesQuery {
  const near = readPosition(query.get('near'));
  const sort = among(orders, query.get('sort')) ?? 'newest';
  return {
    search: query.get('search')?.slice(0, 80) ?? '',
    phase: among(phases, query.get('phase')),
    difficulty: among(difficulties, query.get('difficulty')),
    scene: among(scenes, query.get('scene')),
    sort: sort === 'nearest' && !near ? 'newest' : sort,
    near,
    within: near ? (reaches.find((km) => String(km) === query.get('within')) ?? null) : null,
  };
}

/** Returns the list's query string without default values. Three decimals are about a hundred meters. */
export function writeAddress({
  search,
  phase,
  difficulty,
  scene,
  sort,
  near,
  within,
}: ChallengesQuery): URLSearchParams {
  const query = new URLSearchParams();
  if (search) query.set('search', search);
  if (phase) query.set('phase', phase);
  if (difficulty) query.set('difficulty', difficulty);
  if (scene) query.set('scene', scene);
  if (sort !== 'newest') query.set('sort', sort);
  if (near) query.set('near', `${Number(near.lat.toFixed(3))},${Number(near.lng.toFixed(3))}`);
  if (within) query.set('within', String(within));
  return query;
}

/** Whether the list is filtered. */
export const isNarrowed = ({ search, phase, difficulty, scene, within }: ChallengesQuery) =>
  Boolean(search.trim() || phase || difficulty || scene || within);
