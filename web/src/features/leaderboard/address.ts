import type { Scope } from './slice.ts';

/** What the address bar says of the ranking: which page, whose. */
export interface RankingAddress {
  page: number;
  scope: Scope;
}

export function readAddress(query: URLSearchParams): RankingAddress {
  const page = Number(query.get('page'));
  return {
    page: Number.isInteger(page) && page > 0 && page <= 9999 ? page : 1,
    scope: query.get('filter') === 'friends' ? 'friends' : 'all',
  };
}

/** The same as a query, without what goes without saying. */
export function writeAddress({ page, scope }: RankingAddress): string {
  const query = new URLSearchParams();
  if (scope === 'friends') query.set('filter', 'friends');
  if (page > 1) query.set('page', String(page));
  return query.size ? `?${query}` : '';
}
