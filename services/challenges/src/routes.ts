import { operations } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, Reply } from '@wayquest/platform';
import { type ChallengeOperations, defaultLimit } from './challenges.ts';

export function routes(http: HttpApp, challenges: ChallengeOperations): void {
  http.serve(operations.listChallenges, async ({ query, caller }) => {
    const found = await challenges.list(query, caller);
    // Nearest first has no place to go on from.
    if (query.near) return found;
    const { limit = defaultLimit } = query;
    return new Reply(found, {
      headers: nextPageLink(found, { operation: operations.listChallenges, query, limit }, ({ id }) => id),
    });
  });
  http.serve(operations.getChallenge, async ({ params }) => challenges.get(params.id));
  http.serve(operations.createChallenge, async ({ body, caller }) => challenges.create(body, caller));
  http.serve(operations.deleteChallenge, async ({ params }) => {
    await challenges.delete(params.id);
    return undefined;
  });
}
