import { runService } from '@wayquest/platform/service';
import { challengesService } from './service.ts';

await runService(challengesService);
