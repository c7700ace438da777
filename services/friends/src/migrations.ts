import type { ServiceKit } from '@wayquest/platform/service';
import { type Migration, moveCollection } from '@wayquest/platform/store';

/** Moves the cooldowns of friend requests to their current collection. */
export const requestCooldowns = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-request-cooldowns',
  run: () => moveCollection(connection, 'askings', 'friend_request_cooldowns'),
});
