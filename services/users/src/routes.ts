import { operations } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, Problem, Reply } from '@wayquest/platform';
import { drawAvatar } from './generated-avatar.ts';
import type { Leaderboard } from './leaderboard.ts';
import type { Points } from './points.ts';
import { defaultLimit, type Profiles } from './profiles.ts';

export interface UsersOperations {
  profiles: Profiles;
  points: Points;
  leaderboard: Leaderboard;
}

export function routes(http: HttpApp, { profiles, points, leaderboard }: UsersOperations): void {
  http.serve(operations.getMe, async ({ caller }) => profiles.me(caller));
  http.serve(operations.updateMe, async ({ body, caller }) => profiles.update(body, caller));
  http.serve(operations.listUsers, async ({ query, caller }) => {
    const users = await profiles.list(query, caller);
    if (query.suggested) return users;
    const { limit = defaultLimit } = query;
    return new Reply(users, {
      headers: nextPageLink(users, { operation: operations.listUsers, query, limit }, ({ id }) => id),
    });
  });
  http.serve(operations.getUser, async ({ params }) => profiles.get(params.id));
  http.serve(operations.awardPoints, async ({ body, caller }) => points.claim(body.challengeId, caller));
  http.serve(operations.getLeaderboard, async ({ query, caller }) => leaderboard.page(query, caller));
  http.serveNavigation(operations.getProfilePicture, async ({ params }, { response }) => {
    const id = /^explorer-([1-9]\d{0,15})\.svg$/.exec(params.file)?.[1];
    if (!id) throw new Problem('not-found');
    response
      .set({ 'cache-control': 'public, max-age=31536000, immutable', 'content-type': 'image/svg+xml' })
      .send(drawAvatar(Number(id)));
  });
}
