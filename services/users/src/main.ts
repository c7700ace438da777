import { runService } from '@wayquest/platform/service';
import { usersService } from './service.ts';

await runService(usersService);
