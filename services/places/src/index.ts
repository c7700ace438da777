export { createPlacesService, type PlacesDeps, type PlacesTuning, placesService } from './service.ts';
export type { OutsideConfig } from './settings.ts';
