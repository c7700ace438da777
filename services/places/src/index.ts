export { createPlacesService } from './service.ts';
