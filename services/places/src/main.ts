import { runService } from '@wayquest/platform/service';
import { placesService } from './service.ts';

await runService(placesService);
