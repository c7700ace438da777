import { runService } from '@wayquest/platform/service';
import { notificationsService } from './service.ts';

await runService(notificationsService);
