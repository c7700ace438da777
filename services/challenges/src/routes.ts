import { operations, totalCountHeader } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, ResponseWithHeaders } from '@wayquest/platform/http';
import { type ChallengeQueries, defaultLimit, maxSkipped, offsetOf } from './challenge-queries.ts';
import type { ChallengeOperations } from './challenges.ts';
import { orderOf, orders } from './orders.ts';
import { ownersOf } from './policies.ts';

export interface ChallengesOperations {
  challenges: ChallengeOperations;
  finding: ChallengeQueries;
}

export function routes(http: HttpApp, { challenges, finding }: ChallengesOperations): void {
  http.serve(operations.listChallenges, async ({ query, caller }) => {
    const [found, total] = await Promise.all([
      finding.list(query, caller),
      query.total ? finding.count(query, caller) : undefined,
    ]);
    const counted: Record<string, string> = total === undefined ? {} : { [totalCountHeader]: String(total) };
    const { bbox, near, cursor, limit = defaultLimit } = query;
    const normalizedQuery = {
      ...query,
      bbox: bbox && [bbox.west, bbox.south, bbox.east, bbox.north].join(),
      near: near && [near.lat, near.lng].join(),
      // Once is enough.
      total: undefined,
    };
    const page = { operation: operations.listChallenges, query: normalizedQuery, limit };
    const seen = offsetOf(cursor) + found.length;
    const order = orderOf(query);
    if (order === 'nearest' && seen > maxSkipped) return new ResponseWithHeaders(found, { headers: counted });
    const cursorOf = order === 'nearest' ? () => seen : orders[order].cursorOf;
    return new ResponseWithHeaders(found, {
      headers: { ...nextPageLink(found, page, cursorOf), ...counted },
    });
  });
  // Before the single challenge, whose path would match too.
  http.serve(operations.viewChallenges, async ({ query, caller }) => finding.view(query, caller));
  http.serve(operations.listChallengeClusters, async ({ query, caller }) => finding.clusters(query, caller));
  http.serve(operations.getChallenge, async ({ params, caller }) => challenges.get(params.id, caller));
  http.serve(operations.createChallenge, async ({ body, caller, idempotency }) =>
    challenges.create(body, caller, idempotency),
  );
  http.serve(operations.createSuggestedChallenge, async ({ body, caller }) =>
    challenges.createSuggested(body, caller),
  );
  const owned = {
    find: ({ params }: { params: { id: number } }) => challenges.find(params.id),
    owners: ownersOf,
  };
  http.serveOwned(operations.updateChallenge, {
    ...owned,
    handle: ({ params, body, caller }) => challenges.update(params.id, body, caller),
  });
  http.serveOwned(operations.deleteChallenge, {
    ...owned,
    async handle({ params, caller }) {
      await challenges.delete(params.id, caller);
      return undefined;
    },
  });
  http.serve(operations.deleteChallengesOf, async ({ params }) => ({
    deleted: await challenges.deleteAllOf(params.id),
  }));
}
