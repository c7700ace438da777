import { runService, serviceSettings } from '@wayquest/platform';
import { z } from 'zod';
import { createUsersService } from './service.ts';

const settings = serviceSettings.extend({
  AUTH_URL: z.url(),
  PARTICIPATION_URL: z.url(),
  OWN_CHALLENGES_PER_DAY: z.coerce.number().int().min(0).default(3),
});

await runService('users', settings, (deps, { AUTH_URL, PARTICIPATION_URL, OWN_CHALLENGES_PER_DAY }) =>
  createUsersService({
    ...deps,
    authUrl: () => AUTH_URL,
    participationUrl: () => PARTICIPATION_URL,
    ownChallengesPerDay: OWN_CHALLENGES_PER_DAY,
  }),
);
