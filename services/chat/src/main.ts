import { runService, serviceSettings } from '@wayquest/platform';
import { z } from 'zod';
import { createChatService } from './service.ts';

const settings = serviceSettings.extend({ FRIENDS_URL: z.url() });

await runService('chat', settings, (deps, { FRIENDS_URL }) =>
  createChatService({ ...deps, friendsUrl: () => FRIENDS_URL }),
);
