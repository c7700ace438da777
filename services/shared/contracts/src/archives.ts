import { z } from 'zod';
import { type HttpServiceName, operation } from './operation.ts';
import { Cursor, IdText, Timestamp } from './primitives.ts';

/** A page of a service's data of a user: records of several kinds, one kind after the other. */
export const OwnData = z
  .object({
    records: z.array(
      z.object({
        kind: z.string().meta({ description: 'Such as `messages`' }),
        data: z
          .record(z.string(), z.unknown())
          .meta({ description: 'As stored; other people appear as ids.' }),
      }),
    ),
    next: Cursor.optional().meta({ description: 'Cursor of the next page; absent on the last.' }),
  })
  .meta({ id: 'OwnData' });
export type OwnData = z.infer<typeof OwnData>;

/** A service's data of the caller, page by page. */
const ownDataOf = <const S extends HttpServiceName>(service: S) =>
  operation({
    service,
    method: 'GET',
    path: `/api/own-data/${service}`,
    access: 'member',
    summary: `Get the data that ${service} holds about the caller, for the archive`,
    query: z.object({ cursor: Cursor.optional() }),
    status: [200],
    response: OwnData,
    problems: ['unauthenticated'],
    weight: 2,
    internal: true,
  });

/** State of a user's data archive. */
export const Archive = z
  .object({
    state: z.enum(['none', 'preparing', 'ready', 'failed']),
    readyAt: Timestamp.optional(),
    until: Timestamp.optional().meta({ description: 'When it is deleted.' }),
    size: z.int().nonnegative().optional().meta({ description: 'In bytes' }),
  })
  .meta({ id: 'Archive' });
export type Archive = z.infer<typeof Archive>;

/** An address of one archive, for the browser's own download. */
export const ArchiveAddress = z
  .object({
    url: z
      .string()
      .meta({ description: 'Path and query, without an origin. Whoever has it can download the archive.' }),
    until: Timestamp.meta({ description: 'No download begins or is continued after that.' }),
  })
  .meta({ id: 'ArchiveAddress' });
export type ArchiveAddress = z.infer<typeof ArchiveAddress>;

/** How long an address of an archive is valid: a slow download can be continued, and a history has a dead link soon. */
export const archiveAddressSeconds = 3_600;

export const archiveOperations = {
  listOwnAuthData: ownDataOf('auth'),
  listOwnUsersData: ownDataOf('users'),
  listOwnChallengesData: ownDataOf('challenges'),
  listOwnParticipationData: ownDataOf('participation'),
  listOwnFriendsData: ownDataOf('friends'),
  listOwnChatData: ownDataOf('chat'),
  listOwnNotificationsData: ownDataOf('notifications'),
  listOwnModerationData: ownDataOf('moderation'),
  getArchive: operation({
    service: 'users',
    method: 'GET',
    path: '/api/archive',
    access: 'member',
    summary: 'Get the state of the caller’s data archive',
    status: [200],
    response: Archive,
    problems: ['unauthenticated'],
  }),
  makeArchive: operation({
    service: 'users',
    method: 'POST',
    path: '/api/archive',
    access: 'member',
    creates: true,
    summary: 'Create the caller’s data archive; one at a time, a few times a day',
    status: [202],
    response: Archive,
    problems: ['unauthenticated', 'too-many-requests', 'service-unavailable'],
    weight: 4,
  }),
  downloadArchive: operation({
    service: 'users',
    method: 'GET',
    path: '/api/archive/file',
    access: 'member',
    summary:
      'Download the caller’s data archive: a ZIP of JSON and pictures; continued with `Range` and `If-Range`',
    status: [200, 206],
    file: 'application/zip',
    problems: ['unauthenticated', 'not-found', 'range-not-satisfiable'],
    weight: 4,
  }),
  makeArchiveAddress: operation({
    service: 'users',
    method: 'POST',
    path: '/api/archive/address',
    access: 'member',
    summary:
      'Create the address for one download of the caller’s data archive, without a token: valid for an hour, until the next one is created or the archive is deleted; a download that was interrupted continues there',
    status: [200],
    response: ArchiveAddress,
    problems: ['unauthenticated', 'not-found'],
  }),
  downloadArchiveByAddress: operation({
    service: 'users',
    method: 'GET',
    path: '/api/archive/{id}/file',
    access: 'public',
    summary:
      'Download the data archive of an account by an address that it created; continued with `Range` and `If-Range`',
    params: z.object({ id: IdText }),
    query: z.object({
      key: z.string().regex(/^[\w-]{43}$/, 'must be the key of an address'),
    }),
    status: [200, 206],
    problems: ['not-found', 'range-not-satisfiable'],
    weight: 4,
    navigation: true,
  }),
};

/** By the service that holds it. */
export const ownDataOperations = {
  auth: archiveOperations.listOwnAuthData,
  users: archiveOperations.listOwnUsersData,
  challenges: archiveOperations.listOwnChallengesData,
  participation: archiveOperations.listOwnParticipationData,
  friends: archiveOperations.listOwnFriendsData,
  chat: archiveOperations.listOwnChatData,
  notifications: archiveOperations.listOwnNotificationsData,
  moderation: archiveOperations.listOwnModerationData,
};
