import { runService } from '@wayquest/platform/service';
import { moderationService } from './service.ts';

await runService(moderationService);
