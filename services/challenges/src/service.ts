import { createService, type Service, type ServiceDeps } from '@wayquest/platform';
import { createChallenges } from './challenges.ts';
import { consumers } from './consumers.ts';
import { createFinding } from './finding.ts';
import { routes } from './routes.ts';

/** The whole challenges service as a value. */
export const createChallengesService = (deps: ServiceDeps): Service =>
  createService('challenges', deps, (kit) => {
    const challenges = createChallenges(kit);
    return {
      routes: (http) => routes(http, challenges, createFinding(kit)),
      consumers: consumers(challenges),
      retell: challenges.retell,
    };
  });
