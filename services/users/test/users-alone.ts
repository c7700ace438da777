import { type Alone, type AloneOptions, startAlone } from '@wayquest/testing';
import { createUsersService, type UsersDeps } from '../src/index.ts';

const nobody = () => 'http://127.0.0.1:9';

/** The users service with nobody to ask. */
export const startUsersAlone = (
  stored?: AloneOptions['stored'],
  given: Partial<UsersDeps> = {},
): Promise<Alone> =>
  startAlone({
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
