import { operations } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, Reply } from '@wayquest/platform/http';
import { defaultLimit, type ParticipationOperations } from './participation.ts';
import { ownersOf } from './policies.ts';
import { cursorAfter, defaultStamps, keptBook, type TrailBooks } from './trail-book.ts';
import type { TrailMaps } from './trail-maps.ts';

interface Served {
  participation: ParticipationOperations;
  trailBooks: TrailBooks;
  trailMaps: TrailMaps;
}

export function routes(http: HttpApp, { participation, trailBooks, trailMaps }: Served): void {
  http.serve(operations.listLines, async ({ query, caller }) => {
    const lines = await participation.list(query, caller);
    const { limit = defaultLimit } = query;
    return new Reply(lines, {
      headers: nextPageLink(lines, { operation: operations.listLines, query, limit }, ({ id }) => id),
    });
  });
  http.serve(operations.listCompletions, async ({ query, caller }) => participation.latestOf(query, caller));
  http.serve(operations.getTrailBook, async ({ params, query, caller }) => {
    if (!(await participation.isShown(params.id, caller))) return new Reply(keptBook);
    const book = await trailBooks.of(params.id, query, caller.id);
    const { limit = defaultStamps } = query;
    const page = { operation: operations.getTrailBook, params, query, limit };
    return new Reply(book, { headers: nextPageLink(book.stamps, page, cursorAfter) });
  });
  http.serveOwned(operations.showTrailMap, {
    find: async ({ params }) => params.id,
    owners: (userId) => [userId],
    answer: async ({ body }, userId) => trailMaps.show(userId, body.shownTo),
  });
  http.serve(operations.joinChallenge, async ({ body, caller }) => {
    const { line, isNew } = await participation.join(body.challengeId, caller);
    return new Reply(line, { status: isNew ? 201 : 200 });
  });
  http.serveOwned(operations.updateLine, {
    find: async ({ params }) => participation.find(params.id),
    owners: ownersOf,
    answer: async ({ body }, found) => participation.setCompleted(found, body),
  });
  http.serveOwned(operations.leaveChallenge, {
    find: async ({ params }) => participation.find(params.id),
    owners: ownersOf,
    async answer(_, found) {
      await participation.leave(found);
      return undefined;
    },
  });
}
