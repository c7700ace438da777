import { runService, serviceSettings } from '@wayquest/platform';
import { z } from 'zod';
import { createParticipationService } from './service.ts';

const settings = serviceSettings.extend({ CHALLENGES_URL: z.url() });

await runService('participation', settings, (deps, { CHALLENGES_URL }) =>
  createParticipationService({ ...deps, challengesUrl: () => CHALLENGES_URL }),
);
