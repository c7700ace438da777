import type { ChallengeDetails, Client } from '@wayquest/contracts';
import { firstWanted } from '../../entities/challenges/open-challenges.ts';

/** Metres: as far as the service looks. */
const farthest = '999999';
const linesKnown = '500';

/** What is open and nearest to where somebody just was, and they are not in yet; the newest, where nobody knows where that is. */
export async function nextNearby(api: Client, { position }: ChallengeDetails): Promise<ChallengeDetails[]> {
  const near = position && { near: `${position.lat},${position.lng}`, radius: farthest };
  const joined = new Set(
    (await api.listLines({ query: { limit: linesKnown } })).map(({ challengeId }) => challengeId),
  );
  return firstWanted(
    (limit) => api.listChallenges({ query: { scope: 'all', phase: 'open', limit, ...near } }),
    ({ id }) => !joined.has(id),
    { count: 2, first: 20 },
  );
}
