import { z } from 'zod';
import { archiveOperations } from './archives.ts';
import { authOperations } from './auth.ts';
import { logOperations } from './challenge-log.ts';
import { challengesOperations } from './challenges.ts';
import { chatOperations } from './chat.ts';
import { friendsOperations } from './friends.ts';
import { moderationOperations } from './moderation.ts';
import { notificationsOperations } from './notifications.ts';
import { operation } from './operation.ts';
import { participationOperations } from './participations.ts';
import { passkeyOperations } from './passkeys.ts';
import { placesOperations } from './places.ts';
import { privacyOperations } from './privacy.ts';
import { trailOperations } from './trails.ts';
import { usersOperations } from './users.ts';

/** Public settings of the web app. */
export const WebSettings = z
  .object({
    googleMapsApiKey: z
      .string()
      .nullable()
      .meta({ description: 'Absent: the open map is used. Restrict the key to your own pages.' }),
    tiles: z.object({
      url: z.string().meta({ description: 'URL template with {z}, {x} and {y}' }),
      attribution: z.string().meta({ description: 'Text that the map always shows.' }),
    }),
  })
  .meta({ id: 'WebSettings' });
export type WebSettings = z.infer<typeof WebSettings>;

export const settingsOperations = {
  getSettings: operation({
    service: 'gateway',
    method: 'GET',
    path: '/api/settings',
    access: 'public',
    summary: 'Get the public settings of the web app',
    status: [200],
    response: WebSettings,
    problems: [],
  }),
};

/** All HTTP calls of Wayquest. Routes, validation, documentation, clients and tests are derived from this table. */
export const operations = {
  ...authOperations,
  ...passkeyOperations,
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
