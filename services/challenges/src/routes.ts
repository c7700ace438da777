import { type Challenge, operations, totalCountHeader } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, ResponseWithHeaders } from '@wayquest/platform/http';
import type { Caller } from '@wayquest/platform/tokens';
import type { Abilities } from './abilities.ts';
import { type ChallengeQueries, defaultLimit, maxSkipped, offsetOf } from './challenge-queries.ts';
import type { ChallengeOperations } from './challenges.ts';
import { orderOf, orders } from './orders.ts';

/** A challenge belongs to its creator. */
const ownersOf = ({ creator }: { creator: { id: number } }): number[] => [creator.id];

export interface RouteDeps {
  challenges: ChallengeOperations;
  queries: ChallengeQueries;
  abilities: Abilities;
}

export function routes(http: HttpApp, { challenges, queries, abilities }: RouteDeps): void {
  const withAbilities = async (challenge: Challenge, caller: Caller | undefined): Promise<Challenge> => {
    const [shown = challenge] = await abilities.addTo([challenge], caller);
    return shown;
  };

  http.serve(operations.listChallenges, async ({ query, caller }) => {
    const [found, total] = await Promise.all([
      queries.list(query, caller).then((listed) => abilities.addTo(listed, caller)),
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
  http.serve(operations.viewChallenges, async ({ query, caller }) => {
    const { challenges: shown, clusters } = await queries.view(query, caller);
    return { challenges: await abilities.addTo(shown, caller), clusters };
  });
  http.serve(operations.listChallengeClusters, async ({ query, caller }) => queries.clusters(query, caller));
  http.serve(operations.getChallenge, async ({ params, caller }) =>
    withAbilities(await challenges.get(params.id, caller), caller),
  );
  http.serve(operations.createChallenge, async ({ body, caller, idempotency }) =>
    withAbilities(await challenges.create(body, caller, idempotency), caller),
  );
  http.serve(operations.createSuggestedChallenge, async ({ body, caller }) =>
    withAbilities(await challenges.createSuggested(body.suggestion, caller), caller),
  );
  const owned = {
    find: ({ params }: { params: { id: number } }) => challenges.find(params.id),
    owners: ownersOf,
  };
  http.serveOwned(operations.updateChallenge, {
    ...owned,
    handle: async ({ params, body, caller }) =>
      withAbilities(await challenges.update(params.id, body, caller), caller),
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
