import { authOperations } from './auth.ts';
import { participationOperations } from './challenge-lines.ts';
import { challengesOperations } from './challenges.ts';
import { chatOperations } from './chat.ts';
import { friendsOperations } from './friends.ts';
import { notificationsOperations } from './notifications.ts';
import { placesOperations } from './places.ts';
import { settingsOperations } from './settings.ts';
import { trailOperations } from './trails.ts';
import { usersOperations } from './users.ts';

/** Every HTTP call of Wayquest. Routes, validation, documentation, clients and tests come from this table. */
export const operations = {
  ...authOperations,
  ...usersOperations,
  ...challengesOperations,
  ...participationOperations,
  ...trailOperations,
  ...friendsOperations,
  ...chatOperations,
  ...notificationsOperations,
  ...placesOperations,
  ...settingsOperations,
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;
