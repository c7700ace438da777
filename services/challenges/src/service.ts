import { createService, type Service, type ServiceDeps } from '@wayquest/platform';
import { createCells } from './cells.ts';
import { createChallenges } from './challenges.ts';
import { consumers } from './consumers.ts';
import { createDayTurns } from './day-turns.ts';
import { createFinding } from './finding.ts';
import { prepareStore } from './first-start.ts';
import { routes } from './routes.ts';
import { createTimeZones } from './time-zones.ts';

/** The whole challenges service as a value. */
export const createChallengesService = (deps: ServiceDeps): Service =>
  createService('challenges', deps, (kit) => {
    const timeZones = createTimeZones(kit);
    const cells = createCells(kit, timeZones);
    const challenges = createChallenges(kit, timeZones);
    const finding = createFinding(kit, cells, timeZones);
    return {
      prepare: () => prepareStore(kit, cells, timeZones),
      routes: (http) => routes(http, challenges, finding),
      consumers: consumers(challenges, cells),
      retell: challenges.retell,
      beside: createDayTurns(kit, cells, timeZones),
    };
  });
