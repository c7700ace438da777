import { runService, serviceSettings } from '@wayquest/platform';
import { createChallengesService } from './service.ts';

await runService('challenges', serviceSettings, createChallengesService);
