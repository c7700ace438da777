import type { ChallengeDetails, Client } from '@wayquest/contracts';

/** Metres: as far as the service looks. */
const farthest = '999999';
/** More than are shown, since the person may have been to those that are nearest. */
const looked = '20';
const linesKnown = '200';

/** What is open and nearest to where somebody just was, and they are not in yet; the newest, where nobody knows where that is. */
export async function nextNearby(api: Client, { position }: ChallengeDetails): Promise<ChallengeDetails[]> {
  const near = position && { near: `${position.lat},${position.lng}`, radius: farthest };
  const [open, lines] = await Promise.all([
    api.listChallenges({ query: { scope: 'all', phase: 'open', limit: looked, ...near } }),
    api.listLines({ query: { limit: linesKnown } }),
  ]);
  const joined = new Set(lines.map(({ challengeId }) => challengeId));
  return open.filter(({ id }) => !joined.has(id)).slice(0, 2);
}
