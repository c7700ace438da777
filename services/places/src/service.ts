import { createService, type Service, type ServiceDeps } from '@wayquest/platform';
import { createPlaces } from './places.ts';
import { routes } from './routes.ts';

/** The whole places service as a value. */
export const createPlacesService = (deps: ServiceDeps): Service =>
  createService('places', deps, () => {
    const places = createPlaces();
    return {
      routes: (http) => routes(http, places),
      consumers: { 'challenge.created.v1': async () => {}, 'challenge.updated.v1': async () => {} },
    };
  });
