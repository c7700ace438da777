import { leaderboardPageSize, operations } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, Problem, Reply } from '@wayquest/platform/http';
import type { BlockReplica } from '@wayquest/platform/replicas';
import type { Leaderboard } from './leaderboard.ts';
import type { Pictures } from './pictures.ts';
import type { Points } from './points.ts';
import { defaultLimit, type Profiles } from './profiles.ts';

export interface UsersOperations {
  profiles: Profiles;
  pictures: Pictures;
  points: Points;
  leaderboard: Leaderboard;
  blocks: BlockReplica;
}

export function routes(
  http: HttpApp,
  { profiles, pictures, points, leaderboard, blocks }: UsersOperations,
): void {
  http.serve(operations.getMe, async ({ caller }) => profiles.me(caller));
  http.serve(operations.updateMe, async ({ body, caller }) => profiles.update(body, caller));
  http.serve(operations.updatePicture, async ({ body, caller }) => {
    if (!(body instanceof Uint8Array)) throw new Problem('unsupported-image');
    return pictures.choose(body, caller);
  });
  http.serve(operations.listUsers, async ({ query, caller }) => {
    const users = await profiles.list(query, caller);
    if (query.suggested) return users;
    const { limit = defaultLimit } = query;
    return new Reply(users, {
      headers: nextPageLink(users, { operation: operations.listUsers, query, limit }, ({ id }) => id),
    });
  });
  http.serve(operations.getUser, async ({ params, caller }) => profiles.get(params.id, caller));
  http.serve(operations.awardPoints, async ({ body, caller }) => points.claim(body.challengeId, caller));
  http.serve(operations.listHeldAwards, async () => points.held());
  http.serve(operations.releaseAward, async ({ params }) => {
    await points.release(params.userId, params.challengeId);
    return undefined;
  });
  http.serve(operations.getLeaderboard, async ({ query, caller }) => {
    const page = await leaderboard.page(query, caller);
    const hidden = await blocks.hiddenFrom(caller?.id);
    const shown = page.rows.filter(({ id }) => !hidden.has(id));
    const podium = page.podium.filter(({ id }) => !hidden.has(id));
    const request = {
      ...{ operation: operations.getLeaderboard, limit: leaderboardPageSize },
      query: { scope: query.scope, period: query.period },
    };
    return new Reply(
      { ...page, podium, rows: shown },
      {
        headers: nextPageLink(page.rows, request, ({ points, id }) => `${points}:${id}`),
      },
    );
  });
  http.serveNavigation(operations.getProfilePicture, async ({ params }, { response }) => {
    const { type, data } = await pictures.find(params.file);
    response.set({ 'cache-control': 'public, max-age=31536000, immutable', 'content-type': type }).send(data);
  });
}
