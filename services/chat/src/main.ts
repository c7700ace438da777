import { runService, serviceSettings } from '@wayquest/platform';
import { createChatService } from './service.ts';

await runService('chat', serviceSettings, (deps) => createChatService(deps));
