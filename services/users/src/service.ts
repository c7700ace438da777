import { createClient } from '@wayquest/contracts';
import { createFriendshipReplica } from '@wayquest/platform/replicas';
import { createService, defineService, type Service, type ServiceDeps } from '@wayquest/platform/service';
import { callHeaders } from '@wayquest/platform/telemetry';
import { consumers } from './consumers.ts';
import { createLeaderboard } from './leaderboard.ts';
import { createLedger } from './ledger.ts';
import { createPictures } from './pictures.ts';
import { createPoints } from './points.ts';
import { createProfiles } from './profiles.ts';
import { routes } from './routes.ts';
import { settings } from './settings.ts';

export interface UsersDeps extends ServiceDeps {
  /** Where auth answers, asked to claim a new username. */
  authUrl: () => string;
  /** Where participation answers, asked for a completed line whose event is not here yet. */
  participationUrl: () => string;
  /** How many challenges of one's own earn points in a day. */
  ownChallengesPerDay: number;
}

/** The whole users service as a value. */
export const createUsersService = ({ ownChallengesPerDay, ...deps }: UsersDeps): Service =>
  createService('users', deps, (kit) => {
    const clientOf = (baseUrl: () => string) =>
      createClient({ baseUrl, headers: callHeaders, timeoutMs: 3_000 });
    const friendships = createFriendshipReplica(kit.connection);
    const ledger = createLedger(kit);
    const profiles = createProfiles({ kit, friendships, ledger, authClient: clientOf(deps.authUrl) });
    const pictures = createPictures(kit, profiles);
    const points = createPoints({
      kit,
      profiles,
      ledger,
      participation: clientOf(deps.participationUrl),
      ownPerDay: ownChallengesPerDay,
    });
    const leaderboard = createLeaderboard(kit, friendships);
    return {
      routes: (http) => routes(http, { profiles, pictures, points, leaderboard }),
      consumers: consumers({ profiles, points, friendships }),
      retell: profiles.retell,
      forget: {
        async friends(since) {
          await friendships.forget(since);
        },
      },
    };
  });

/** As it is run, alone or with the others. */
export const usersService = defineService({
  name: 'users',
  settings,
  asks: ['auth', 'participation'],
  fromSettings: ({ OWN_CHALLENGES_PER_DAY }, { urlOf, ...given }) =>
    createUsersService({
      ...given,
      authUrl: () => urlOf('auth'),
      participationUrl: () => urlOf('participation'),
      ownChallengesPerDay: OWN_CHALLENGES_PER_DAY,
    }),
});
