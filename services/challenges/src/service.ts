import { createService, type Service, type ServiceDeps } from '@wayquest/platform';
import { createChallenges } from './challenges.ts';
import { consumers } from './consumers.ts';
import { routes } from './routes.ts';

/** The whole challenges service as a value. */
export const createChallengesService = (deps: ServiceDeps): Service =>
  createService('challenges', deps, (kit) => {
    const challenges = createChallenges(kit);
    return {
      routes: (http) => routes(http, challenges),
      consumers: consumers(challenges),
      retell: challenges.retell,
    };
  });
