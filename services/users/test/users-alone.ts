import { type IsolatedService, type IsolatedServiceOptions, startIsolatedService } from '@wayquest/testing';
import { createUsersService, type UsersDeps } from '../src/index.ts';

const nobody = () => 'http://127.0.0.1:9';

/** The users service with nobody to ask. */
export const startUsersAlone = (
  stored?: IsolatedServiceOptions['stored'],
  given: Partial<UsersDeps> = {},
): Promise<IsolatedService> =>
  startIsolatedService({
    service: 'users',
    create: (deps) =>
      createUsersService({
        ...deps,
        authUrl: nobody,
        participationUrl: nobody,
        holdersUrls: {
          challenges: nobody,
          friends: nobody,
          chat: nobody,
          notifications: nobody,
          moderation: nobody,
        },
        ownChallengesPerDay: 3,
        pairPointsPerDay: 300,
        picturesPerHour: 100,
        archivesPerDay: 100,
        ...given,
      }),
    stored,
  });
