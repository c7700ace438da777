import { operations } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, Reply } from '@wayquest/platform';
import type { ChallengeOperations } from './challenges.ts';
import { defaultLimit, type Finding } from './finding.ts';

export function routes(http: HttpApp, challenges: ChallengeOperations, finding: Finding): void {
  http.serve(operations.listChallenges, async ({ query, caller }) => {
    const found = await finding.list(query, caller);
    // Nearest first has no place to go on from.
    if (query.near) return found;
    const { bbox, limit = defaultLimit } = query;
    const asked = { ...query, bbox: bbox && [bbox.west, bbox.south, bbox.east, bbox.north].join() };
    const page = { operation: operations.listChallenges, query: asked, limit };
    return new Reply(found, { headers: nextPageLink(found, page, ({ id }) => id) });
  });
  // Before the one challenge, whose path would match as well.
  http.serve(operations.listChallengeClusters, async ({ query, caller }) => finding.clusters(query, caller));
  http.serve(operations.getChallenge, async ({ params }) => challenges.get(params.id));
  http.serve(operations.createChallenge, async ({ body, caller }) => challenges.create(body, caller));
  http.serve(operations.deleteChallenge, async ({ params }) => {
    await challenges.delete(params.id);
    return undefined;
  });
}
