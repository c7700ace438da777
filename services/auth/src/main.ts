import { runService } from '@wayquest/platform/service';
import { authService } from './service.ts';

await runService(authService);
