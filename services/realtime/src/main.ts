import { runService, serviceSettings } from '@wayquest/platform';
import { createRealtimeService } from './service.ts';

await runService('realtime', serviceSettings, (deps, { REDIS_URL }) =>
  createRealtimeService({ ...deps, redisUrl: REDIS_URL }),
);
