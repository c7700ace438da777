import { runService } from '@wayquest/platform/service';
import { friendsService } from './service.ts';

await runService(friendsService);
