export { createPlacesService, type PlacesDeps, type PlacesTuning, placesService } from './service.ts';
export type { ExternalConfig } from './settings.ts';
