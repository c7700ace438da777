import { runService } from '@wayquest/platform/service';
import { chatService } from './service.ts';

await runService(chatService);
