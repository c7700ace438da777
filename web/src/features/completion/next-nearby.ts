import type { ChallengeDetails, Client } from '@wayquest/contracts';
import { firstMatching } from '../../entities/challenges/open-challenges.ts';
import { formatPosition } from '../../shared/lib/query-params.ts';

/** Maximum radius that the service accepts, in meters. */
const maxRadius = '999999';
const maxParticipations = '500';

/** Open challenges nearest to the completed one that the person has not joined; the newest ones without a position. */
export async function nextNearby(api: Client, { position }: ChallengeDetails): Promise<ChallengeDetails[]> {
  const near = position && { near: formatPosition(position), radius: maxRadius };
  const joined = new Set(
    (await api.listParticipations({ query: { limit: maxParticipations } })).map(
      ({ challengeId }) => challengeId,
    ),
  );
  return firstMatching(
    (limit) => api.listChallenges({ query: { scope: 'all', phase: 'open', limit, ...near } }),
    ({ id }) => !joined.has(id),
    { count: 2, first: 20 },
  );
}
