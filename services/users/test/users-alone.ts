import { type Alone, type AloneOptions, startAlone } from '@wayquest/testing';
import { createUsersService } from '../src/index.ts';

const nobody = () => 'http://127.0.0.1:9';

/** The users service with nobody to ask. */
export const startUsersAlone = (stored?: AloneOptions['stored']): Promise<Alone> =>
  startAlone({
    service: 'users',
    create: (deps) =>
      createUsersService({
        ...deps,
        authUrl: nobody,
        participationUrl: nobody,
        ownChallengesPerDay: 3,
        picturesPerHour: 100,
      }),
    stored,
  });
