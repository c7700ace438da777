import { runService, serviceSettings } from '@wayquest/platform';
import { createRealtimeService } from './service.ts';

await runService('realtime', serviceSettings, (deps) => createRealtimeService(deps));
