import { z } from 'zod';
import { operation } from './operation.ts';
import { SuggestionTemplate } from './places.ts';
import { Cursor, Day, Id, IdText, limit, Timestamp } from './primitives.ts';
import { PublicUser } from './users.ts';

/** The kinds of notifications. */
export const notificationKinds = [
  'friend-requested',
  'friend-accepted',
  'challenge-joined',
  'challenge-completed',
  'completion-thanked',
  'challenge-changed',
  'challenge-ending',
  'moderation-decided',
  'archive-ready',
  'archive-failed',
] as const;
export const NotificationKind = z.enum(notificationKinds).meta({ id: 'NotificationKind' });
export type NotificationKind = z.infer<typeof NotificationKind>;

/** Upper limit of counts of unread notifications and of people in one; a count equal to the limit means 'or more'. */
export const maxUnreadCount = 100;

/** Results of decisions about somebody's content. */
const decisionResults = [
  'deleted',
  'hidden',
  'removed',
  'log-entry-hidden',
  'suspended',
  'restored',
  'upheld',
  'points-flagged',
  'points-approved',
  'points-revoked',
] as const;

/** A notification. All of one kind about one challenge are one notification, which moves up with each new activity. */
export const Notification = z
  .object({
    id: z.string().meta({ description: 'Unique for one person only.' }),
    kind: NotificationKind,
    at: Timestamp,
    read: z.boolean(),
    people: z
      .array(PublicUser.pick({ id: true, username: true, avatar: true }))
      .meta({ description: 'Who did it since it was last read, newest first; at most three.' }),
    count: z
      .int()
      .min(0)
      .max(maxUnreadCount)
      .meta({ description: `How many did it; ${maxUnreadCount} stands for more.` }),
    challenge: z
      .object({
        ...{ id: Id, name: z.string(), endDate: Day.nullable() },
        template: SuggestionTemplate.optional().meta({ description: 'The template of its name.' }),
      })
      .nullable()
      .meta({ description: 'The challenge that it is about, as it was then.' }),
    change: z
      .enum([...decisionResults, 'edited', 'closed'])
      .nullable()
      .meta({ description: 'What happened to it, for kinds about changes.' }),
    reason: z.string().optional().meta({ description: 'The reason that an admin gave.' }),
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof Notification>;

const Unread = z.object({ unread: z.int().min(0).max(maxUnreadCount) });

/** Kinds that cannot be turned off: decisions, and what the person requested. */
type OptionalKind = Exclude<NotificationKind, 'moderation-decided' | 'archive-ready' | 'archive-failed'>;

/** The kinds of notifications that a person wants; all by default. */
export const NotificationPreferences = z
  .object({
    'friend-requested': z.boolean(),
    'friend-accepted': z.boolean(),
    'challenge-joined': z.boolean(),
    'challenge-completed': z.boolean(),
    'completion-thanked': z.boolean(),
    'challenge-changed': z.boolean(),
    'challenge-ending': z.boolean(),
  } satisfies Record<OptionalKind, z.ZodType>)
  .meta({ id: 'NotificationPreferences' });
export type NotificationPreferences = z.infer<typeof NotificationPreferences>;

/** The languages of push messages. */
export const PushLanguage = z.enum(['en', 'zh']);
export type PushLanguage = z.infer<typeof PushLanguage>;

/** `PushSubscription.toJSON()` of a browser (W3C Push API), and the reader's language. */
export const NewPushSubscription = z
  .object({
    endpoint: z.url({ protocol: /^https?$/, error: 'must be the address of a push service' }).max(1_000),
    keys: z.object({
      p256dh: z.string().regex(/^[\w-]{87}=?$/, 'must be a P-256 point in base64url'),
      auth: z.string().regex(/^[\w-]{22}(==)?$/, 'must be 16 bytes in base64url'),
    }),
    language: PushLanguage.default('en'),
  })
  .meta({ id: 'NewPushSubscription' });
export type NewPushSubscription = z.output<typeof NewPushSubscription>;

/** A push message for a browser’s service worker. */
export const PushMessage = z.object({
  title: z.string(),
  body: z.string(),
  url: z.string().meta({ description: 'Path of the app that it opens.' }),
  tag: z.string().meta({ description: 'A later message with the same tag replaces it.' }),
});
export type PushMessage = z.infer<typeof PushMessage>;

export const notificationsOperations = {
  listNotifications: operation({
    service: 'notifications',
    method: 'GET',
    path: '/api/notifications/',
    access: 'member',
    summary: 'List the caller’s notifications of the last 90 days, newest first',
    query: z.object({ limit: limit(100).optional(), cursor: Cursor.optional() }),
    status: [200],
    response: z.array(Notification),
    problems: ['unauthenticated'],
  }),
  countUnreadNotifications: operation({
    service: 'notifications',
    method: 'GET',
    path: '/api/notifications/unread',
    access: 'member',
    summary: `Count the caller’s unread notifications; ${maxUnreadCount} stands for more`,
    status: [200],
    response: Unread,
    problems: ['unauthenticated'],
  }),
  markNotificationsRead: operation({
    service: 'notifications',
    method: 'PUT',
    path: '/api/notifications/read',
    access: 'member',
    summary: 'Mark notifications as read: one, or all up to a time',
    body: z.union(
      [z.object({ until: Timestamp }), z.object({ id: z.string().max(60) })],
      'must contain until or id',
    ),
    status: [200],
    response: Unread,
    problems: ['unauthenticated'],
  }),
  getNotificationPreferences: operation({
    service: 'notifications',
    method: 'GET',
    path: '/api/notifications/preferences',
    access: 'member',
    summary: 'Get the kinds of notifications that the caller wants; all by default',
    status: [200],
    response: NotificationPreferences,
    problems: ['unauthenticated'],
  }),
  updateNotificationPreferences: operation({
    service: 'notifications',
    method: 'PUT',
    path: '/api/notifications/preferences',
    access: 'member',
    summary: 'Change the kinds of notifications that the caller wants',
    body: NotificationPreferences.partial(),
    status: [200],
    response: NotificationPreferences,
    problems: ['unauthenticated'],
  }),
  getPushKey: operation({
    service: 'notifications',
    method: 'GET',
    path: '/api/notifications/push/key',
    access: 'member',
    summary: 'Get the public key for push subscriptions (VAPID, RFC 8292)',
    status: [200],
    response: z.object({ key: z.string() }),
    problems: ['unauthenticated'],
  }),
  subscribeToPush: operation({
    service: 'notifications',
    method: 'POST',
    path: '/api/notifications/push',
    access: 'member',
    creates: true,
    summary:
      'Subscribe this browser to push messages until the caller logs out; at most ten browsers, the oldest is removed',
    body: NewPushSubscription,
    status: [201],
    response: z.object({ id: Id }),
    problems: ['unauthenticated'],
  }),
  unsubscribeFromPush: operation({
    service: 'notifications',
    method: 'DELETE',
    path: '/api/notifications/push/{id}',
    access: 'member',
    summary: 'Delete a push subscription of the caller',
    params: z.object({ id: IdText }),
    status: [204],
    problems: ['unauthenticated'],
  }),
};
