import { operations, totalCountHeader } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, ResponseWithHeaders } from '@wayquest/platform/http';
import { type ChallengeQueries, defaultLimit, maxSkipped, offsetOf } from './challenge-queries.ts';
import type { ChallengeOperations } from './challenges.ts';
import { orderOf, orders } from './orders.ts';

/** A challenge belongs to its creator. */
const ownersOf = ({ creator }: { creator: { id: number } }): number[] => [creator.id];

export interface RouteDeps {
  challenges: ChallengeOperations;
  queries: ChallengeQueries;
}

export function routes(http: HttpApp, { challenges, queries }: RouteDeps): void {
  http.serve(operations.listChallenges, async ({ query, caller }) => {
    const [found, total] = await Promise.all([
      queries.list(query, caller),
      query.total ? queries.count(query, caller) : undefined,
    ]);
    const totalHeader: Record<string, string> =
      total === undefined ? {} : { [totalCountHeader]: String(total) };
    const { bbox, near, cursor, limit = defaultLimit } = query;
    const normalizedQuery = {
      ...query,
      bbox: bbox && [bbox.west, bbox.south, bbox.east, bbox.north].join(),
      near: near && [near.lat, near.lng].join(),
      // The total is only sent with the first page.
      total: undefined,
    };
    const page = { operation: operations.listChallenges, query: normalizedQuery, limit };
    const nextOffset = offsetOf(cursor) + found.length;
    const order = orderOf(query);
    if (order === 'nearest' && nextOffset > maxSkipped)
      return new ResponseWithHeaders(found, { headers: totalHeader });
    const cursorOf = order === 'nearest' ? () => nextOffset : orders[order].cursorOf;
    return new ResponseWithHeaders(found, {
      headers: { ...nextPageLink(found, page, cursorOf), ...totalHeader },
    });
  });
  // Before the single challenge, whose path would match too.
  http.serve(operations.viewChallenges, async ({ query, caller }) => queries.view(query, caller));
  http.serve(operations.listChallengeClusters, async ({ query, caller }) => queries.clusters(query, caller));
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
