import { createClient } from '@wayquest/contracts';
import {
  callHeaders,
  createFriendshipReplica,
  createService,
  type Service,
  type ServiceDeps,
} from '@wayquest/platform';
import { consumers } from './consumers.ts';
import { createLeaderboard } from './leaderboard.ts';
import { createPictures } from './pictures.ts';
import { createPoints } from './points.ts';
import { createProfiles } from './profiles.ts';
import { routes } from './routes.ts';

export interface UsersDeps extends ServiceDeps {
  /** Where auth answers, asked to claim a new username. */
  authUrl: () => string;
  /** Where participation answers, asked for a completed line whose event is not here yet. */
  participationUrl: () => string;
  /** How many challenges of one's own earn points in a day. */
  ownChallengesPerDay?: number;
}

/** The whole users service as a value. */
export const createUsersService = ({ ownChallengesPerDay = 3, ...deps }: UsersDeps): Service =>
  createService('users', deps, (kit) => {
    const clientOf = (baseUrl: () => string) =>
      createClient({ baseUrl, headers: callHeaders, timeoutMs: 3_000 });
    const friendships = createFriendshipReplica(kit.connection);
    const profiles = createProfiles(kit, friendships, clientOf(deps.authUrl));
    const pictures = createPictures(kit, profiles);
    const points = createPoints(kit, profiles, clientOf(deps.participationUrl), {
      ownPerDay: ownChallengesPerDay,
    });
    const leaderboard = createLeaderboard(kit, friendships);
    return {
      routes: (http) => routes(http, { profiles, pictures, points, leaderboard }),
      consumers: consumers({ profiles, points, friendships }),
      retell: profiles.retell,
    };
  });
