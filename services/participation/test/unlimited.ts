import type { IsolatedServiceOptions } from '@wayquest/testing';
import { createParticipationService } from '../src/index.ts';

/**
 * Creates the participation service without limits on completions and photos.
 *
 * @param challengesUrl - Returns the URL of the challenges service; by default one without a listener.
 */
export const unlimited =
  (challengesUrl = () => 'http://127.0.0.1:9'): IsolatedServiceOptions['create'] =>
  (deps) =>
    createParticipationService({
      ...{ ...deps, challengesUrl, photosPerHour: 1_000 },
      allowances: { perMinute: 1_000, perDay: 1_000 },
    });
