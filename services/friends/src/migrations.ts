import type { ServiceKit } from '@wayquest/platform/service';
import { type Migration, moveCollection } from '@wayquest/platform/store';

// For stores of version 0.1.0. Removed with 0.3.0, which reads those of 0.2.0 only.

/** Moves the cooldowns of friend requests to their current collection. */
export const requestCooldowns = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-request-cooldowns',
  run: () => moveCollection(connection, 'askings', 'friend_request_cooldowns'),
});
