import { type IsolatedService, type IsolatedServiceOptions, startIsolatedService } from '@wayquest/testing';
import { createUsersService, type UsersDeps } from '../src/index.ts';

const unreachable = () => 'http://127.0.0.1:9';

/**
 * Starts the users service without other services.
 *
 * @param stored - Initial content of its store.
 * @param options - Options of the service that differ from these defaults; `of`: an instance whose store it shares.
 */
export const startIsolatedUsers = (
  stored?: IsolatedServiceOptions['stored'],
  { of, ...options }: Partial<UsersDeps> & Pick<IsolatedServiceOptions, 'of'> = {},
): Promise<IsolatedService> =>
  startIsolatedService({
    service: 'users',
    create: (deps) =>
      createUsersService({
        ...deps,
        authUrl: unreachable,
        participationUrl: unreachable,
        ownDataUrls: {
          challenges: unreachable,
          friends: unreachable,
          chat: unreachable,
          notifications: unreachable,
          moderation: unreachable,
        },
        ownChallengesPerDay: 3,
        pairPointsPerDay: 300,
        picturesPerHour: 100,
        archivesPerDay: 100,
        ...options,
      }),
    stored,
    of,
  });
