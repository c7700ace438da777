import type { ServiceKit } from '@wayquest/platform/service';
import { dropCollection, type Migration } from '@wayquest/platform/store';

// For stores of version 0.1.0. Removed with 0.3.0, which reads those of 0.2.0 only.

/** Drops the cache of version 0.1.0; `cached_responses` replaces it. */
export const dropFormerCache = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-former-cache',
  run: () => dropCollection(connection, 'answers'),
});
