import { administrationOperations } from './administration.ts';
import { archiveOperations } from './archives.ts';
import { authOperations } from './auth.ts';
import { logOperations } from './challenge-log.ts';
import { challengesOperations } from './challenges.ts';
import { chatOperations } from './chat.ts';
import { friendsOperations } from './friends.ts';
import { moderationOperations } from './moderation.ts';
import { notificationsOperations } from './notifications.ts';
import { participationOperations } from './participations.ts';
import { passkeyOperations } from './passkeys.ts';
import { placesOperations } from './places.ts';
import { privacyOperations } from './privacy.ts';
import { settingsOperations } from './settings.ts';
import { trailOperations } from './trails.ts';
import { usersOperations } from './users.ts';

/** All HTTP calls of Wayquest. Routes, validation, documentation, clients and tests are derived from this table. */
export const operations = {
  ...authOperations,
  ...passkeyOperations,
  ...administrationOperations,
  ...usersOperations,
  ...privacyOperations,
  ...challengesOperations,
  ...participationOperations,
  ...logOperations,
  ...trailOperations,
  ...friendsOperations,
  ...chatOperations,
  ...notificationsOperations,
  ...moderationOperations,
  ...placesOperations,
  ...settingsOperations,
  ...archiveOperations,
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;
