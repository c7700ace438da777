import { createClient } from '@wayquest/contracts';
import { createRateLimiter } from '@wayquest/platform/redis';
import { createBlockReplica, createFriendshipReplica } from '@wayquest/platform/replicas';
import { createService, defineService, type Service, type ServiceDeps } from '@wayquest/platform/service';
import { callHeaders } from '@wayquest/platform/telemetry';
import type { Redis } from 'ioredis';
import { createBoard } from './board.ts';
import { consumers } from './consumers.ts';
import { createLeaderboard } from './leaderboard.ts';
import { createLedger } from './ledger.ts';
import { createMonths } from './months.ts';
import { createPictures } from './pictures.ts';
import { createPoints } from './points.ts';
import { profileModel } from './profile.model.ts';
import { createProfiles } from './profiles.ts';
import { routes } from './routes.ts';
import { settings } from './settings.ts';
import { createTowns } from './towns.ts';

export interface UsersDeps extends ServiceDeps {
  /** Where auth answers, asked to claim a new username. */
  authUrl: () => string;
  /** Where participation answers, asked for a completed line whose event is not here yet. */
  participationUrl: () => string;
  /** How many challenges of one's own earn points in a day. */
  ownChallengesPerDay: number;
  /** What two people can earn with each other's challenges in a day before somebody has to look. */
  pairPointsPerDay: number;
  /** How often one may choose a new picture in an hour. */
  picturesPerHour: number;
  /** Counts them for all instances together; in memory without it. */
  redis?: Redis | undefined;
}

/** The whole users service as a value. */
export const createUsersService = ({
  ownChallengesPerDay,
  pairPointsPerDay,
  picturesPerHour,
  redis,
  ...deps
}: UsersDeps): Service =>
  createService('users', deps, (kit) => {
    const clientOf = (baseUrl: () => string) =>
      createClient({ baseUrl, headers: callHeaders, timeoutMs: 3_000 });
    const friendships = createFriendshipReplica(kit.connection);
    const blocks = createBlockReplica(kit.connection);
    const ledger = createLedger(kit);
    const board = createBoard(kit);
    const towns = createTowns(kit);
    const months = createMonths(kit, ledger, towns);
    const outbox = kit.outboxes.of(profileModel(kit.connection), { alongside: board.follow });
    const authClient = clientOf(deps.authUrl);
    const profiles = createProfiles({ kit, outbox, friendships, blocks, ledger, towns, authClient });
    const limiter = createRateLimiter(
      {
        ...{ name: 'pictures', points: picturesPerHour, seconds: 60 * 60, problem: 'too-many-requests' },
        detail: `You have chosen ${picturesPerHour} pictures in an hour. Please try again later.`,
      },
      redis,
    );
    const pictures = createPictures({ kit, profiles, limiter });
    const points = createPoints({
      kit,
      outbox,
      profiles,
      ledger,
      months,
      participation: clientOf(deps.participationUrl),
      ownPerDay: ownChallengesPerDay,
      pairPerDay: pairPointsPerDay,
    });
    const leaderboard = createLeaderboard({ kit, board, months, towns, friendships });
    return {
      async prepare() {
        await profiles.prepare();
        await towns.prepare();
        await board.prepare();
      },
      routes: (http) => routes(http, { profiles, pictures, points, leaderboard, blocks }),
      consumers: consumers({ profiles, points, friendships, blocks }),
      retell: profiles.retell,
      forget: {
        async friends(since) {
          await Promise.all([friendships.forget(since), blocks.forget(since)]);
        },
      },
    };
  });

/** As it is run, alone or with the others. */
export const usersService = defineService({
  name: 'users',
  settings,
  asks: ['auth', 'participation'],
  fromSettings: (
    { OWN_CHALLENGES_PER_DAY, PAIR_POINTS_PER_DAY, PICTURES_PER_HOUR, REDIS_URL },
    { urlOf, redis, ...given },
  ) =>
    createUsersService({
      ...given,
      authUrl: () => urlOf('auth'),
      participationUrl: () => urlOf('participation'),
      ownChallengesPerDay: OWN_CHALLENGES_PER_DAY,
      pairPointsPerDay: PAIR_POINTS_PER_DAY,
      picturesPerHour: PICTURES_PER_HOUR,
      redis: redis(REDIS_URL),
    }),
});
