import type { ChallengeDetails, Client } from '@wayquest/contracts';
import { firstWanted } from '../../entities/challenges/open-challenges.ts';

/** Maximum radius that the service accepts, in meters. */
const farthest = '999999';
const linesKnown = '500';

/** Open challenges nearest to the completed one that the person has not joined; the newest ones without a position. */
export async function nextNearby(api: Client, { position }: ChallengeDetails): Promise<ChallengeDetails[]> {
  const near = position && { near: `${position.lat},${position.lng}`, radius: farthest };
  const joined = new Set(
    (await api.listParticipations({ query: { limit: linesKnown } })).map(({ challengeId }) => challengeId),
  );
  return firstWanted(
    (limit) => api.listChallenges({ query: { scope: 'all', phase: 'open', limit, ...near } }),
    ({ id }) => !joined.has(id),
    { count: 2, first: 20 },
  );
}
