import { runService, serviceSettings } from '@wayquest/platform';
import { createFriendsService } from './service.ts';

await runService('friends', serviceSettings, (deps) => createFriendsService(deps));
