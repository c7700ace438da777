import type { Client } from '@wayquest/contracts';

/** Somebody's place in the ranking, before and after their points grew. */
export interface Standings {
  before: number;
  after: number;
}

/**
 * Both as the ranking is now: where it would go on after somebody with the points of before, there are as many people
 * ahead as had to be passed, and the person among them. Nothing where they are not in it yet.
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
