import { difficulties, type Position, placeCategories } from '@wayquest/contracts';
import type { ChallengesQuery } from '../../entities/challenges/slice.ts';
import { formatPosition, parseOption, readPosition } from '../../shared/lib/query-params.ts';

/** Of a list; without one it shows those that are open or upcoming. */
export const phases = ['open', 'upcoming', 'ended', 'any'] as const;
/** In kilometers: of people who use these, and 1, 3, 15 and 60 miles. */
export const radii = { metric: [1, 5, 25, 100], miles: [1.609, 4.828, 24.14, 96.561] };
const allRadii = [...radii.metric, ...radii.miles];
export const orders = ['newest', 'nearest', 'ending', 'joined'] as const;

/** The state of the list in the URL. */
export interface ListAddress extends Omit<ChallengesQuery, 'sort'> {
  /** The order that the person chose, if any. */
  sort: ChallengesQuery['sort'] | null;
}

/** Parses the URL of the list; missing and invalid values filter nothing. */
export function readAddress(query: URLSearchParams): ListAddress {
  const near = readPosition(query.get('near'));
  return {
    search: query.get('search')?.slice(0, 80) ?? '',
    phase: parseOption(phases, query.get('phase')),
    difficulty: parseOption(difficulties, query.get('difficulty')),
    placeCategory: parseOption(placeCategories, query.get('placeCategory')),
    sort: parseOption(orders, query.get('sort')),
    near,
    within: near ? (allRadii.find((km) => String(km) === query.get('within')) ?? null) : null,
  };
}

/** Three decimals are about a hundred meters. */
const rounded = ({ lat, lng }: Position): Position => ({
  lat: Number(lat.toFixed(3)),
  lng: Number(lng.toFixed(3)),
});

/** Returns the list of a URL: nearest first around its position, or the known one, unless another order was chosen. */
export function listOf(address: ListAddress, known: Position | null): ChallengesQuery {
  const near = address.near ?? (known && rounded(known));
  const defaultSort = near ? 'nearest' : 'newest';
  const sort = near || address.sort !== 'nearest' ? (address.sort ?? defaultSort) : 'newest';
  return { ...address, near, sort };
}

/** Returns the list's query string without default values. */
export function writeAddress({
  search,
  phase,
  difficulty,
  placeCategory,
  sort,
  near,
  within,
}: ListAddress): URLSearchParams {
  const query = new URLSearchParams();
  if (search) query.set('search', search);
  if (phase) query.set('phase', phase);
  if (difficulty) query.set('difficulty', difficulty);
  if (placeCategory) query.set('placeCategory', placeCategory);
  if (sort) query.set('sort', sort);
  if (near) query.set('near', formatPosition(rounded(near)));
  if (within) query.set('within', String(within));
  return query;
}

/** Whether the list is filtered. */
export const isFiltered = ({ search, phase, difficulty, placeCategory, within }: ListAddress) =>
  Boolean(search.trim() || phase || difficulty || placeCategory || within);
