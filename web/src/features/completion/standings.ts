import type { Client } from '@wayquest/contracts';

/** A person's rank before and after they earned points. */
export interface Standings {
  before: number;
  after: number;
}

/**
 * Returns both ranks in the current ranking: ahead of the earlier points are the same people as then, and the person
 * themselves. Null if they are not ranked yet.
 */
export async function standingsOf(
  api: Client,
  { userId, from, to }: { userId: number; from: number; to: number },
): Promise<Standings | null> {
  const [now, then] = await Promise.all([
    api.getLeaderboard({ query: { around: 'me' } }),
    from < to ? api.getLeaderboard({ query: { cursor: `${from}:${userId}` } }) : null,
  ]);
  const after = now.rows.find(({ id }) => id === userId)?.rank;
  if (after === undefined) return null;
  const next = then?.rows[0]?.rank;
  return { before: then ? (next ? next - 1 : then.total) : after, after };
}
