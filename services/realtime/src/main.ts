import { runService } from '@wayquest/platform/service';
import { realtimeService } from './service.ts';

await runService(realtimeService);
