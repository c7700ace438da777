import { createService, type Service, type ServiceDeps } from '@wayquest/platform';
import { createCells } from './cells.ts';
import { createChallenges } from './challenges.ts';
import { consumers } from './consumers.ts';
import { createFinding } from './finding.ts';
import { routes } from './routes.ts';

/** The whole challenges service as a value. */
export const createChallengesService = (deps: ServiceDeps): Service =>
  createService('challenges', deps, (kit) => {
    const cells = createCells(kit);
    const challenges = createChallenges(kit);
    const finding = createFinding(kit, cells);
    return {
      prepare: cells.prepare,
      routes: (http) => routes(http, challenges, finding),
      consumers: consumers(challenges, cells),
      retell: challenges.retell,
    };
  });
