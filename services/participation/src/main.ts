import { runService } from '@wayquest/platform/service';
import { participationService } from './service.ts';

await runService(participationService);
