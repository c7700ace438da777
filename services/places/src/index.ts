export { createPlacesService, type PlacesDeps } from './service.ts';
export { nobodyAsks, type OutsideConfig, outsideConfig, placesSettings, saysWhoAsks } from './settings.ts';
