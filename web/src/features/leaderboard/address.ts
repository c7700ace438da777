import { parseOption, readInteger } from '../../shared/lib/query-params.ts';
import { type Period, type Scope, scopes } from './slice.ts';

/** The state of the leaderboard in the URL: page, scope and period. */
export interface RankingAddress {
  page: number;
  scope: Scope;
  period: Period;
}

export function readAddress(query: URLSearchParams): RankingAddress {
  return {
    page: readInteger(query.get('page'), 1, 9999) ?? 1,
    scope: parseOption(scopes, query.get('filter')) ?? 'all',
    period: query.get('period') === 'month' ? 'month' : 'all',
  };
}

/** Returns it as a query string, without default values. */
export function writeAddress({ page, scope, period }: RankingAddress): string {
  const query = new URLSearchParams();
  if (scope !== 'all') query.set('filter', scope);
  if (period === 'month') query.set('period', 'month');
  if (page > 1) query.set('page', String(page));
  return query.size ? `?${query}` : '';
}
