import { runService, serviceSettings } from '@wayquest/platform';
import { createPlacesService } from './service.ts';

await runService('places', serviceSettings, createPlacesService);
