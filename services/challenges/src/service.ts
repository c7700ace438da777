import { createService, defineService, type Service, type ServiceDeps } from '@wayquest/platform/service';
import { createCells } from './cells.ts';
import { createChallenges } from './challenges.ts';
import { consumers } from './consumers.ts';
import { createDayTurns } from './day-turns.ts';
import { createFinding } from './finding.ts';
import { migrate } from './migrations.ts';
import { routes } from './routes.ts';
import { settings } from './settings.ts';
import { createTimeZones } from './time-zones.ts';

/** The whole challenges service as a value. */
export const createChallengesService = (deps: ServiceDeps): Service =>
  createService('challenges', deps, (kit) => {
    const timeZones = createTimeZones(kit);
    const cells = createCells(kit, timeZones);
    const challenges = createChallenges(kit, timeZones);
    const finding = createFinding({ kit, cells, timeZones });
    return {
      prepare: () => migrate({ kit, cells, timeZones }),
      routes: (http) => routes(http, { challenges, finding }),
      consumers: consumers(challenges, cells),
      retell: challenges.retell,
      forget: { participation: challenges.forgetMemberships, users: challenges.forgetCreators },
      background: createDayTurns({ kit, cells, timeZones }),
    };
  });

/** As it is run, alone or with the others. */
export const challengesService = defineService({
  name: 'challenges',
  settings,
  asks: [],
  fromSettings: (_settings, given) => createChallengesService(given),
});
