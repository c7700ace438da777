import type { IsolatedServiceOptions } from '@wayquest/testing';
import { createParticipationService } from '../src/index.ts';

/** Makes the service so that nobody completes too much for it; without a word nobody answers where challenges are. */
export const unlimited =
  (challengesUrl = () => 'http://127.0.0.1:9'): IsolatedServiceOptions['create'] =>
  (deps) =>
    createParticipationService({
      ...{ ...deps, challengesUrl, photosPerHour: 1_000 },
      allowances: { perMinute: 1_000, perDay: 1_000 },
    });
