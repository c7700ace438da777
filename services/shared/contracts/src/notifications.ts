import { z } from 'zod';
import { operation } from './operation.ts';
import { Cursor, Day, Id, IdText, limit, Moment } from './primitives.ts';
import { PublicUser } from './users.ts';

/** What people are told of. */
export const notificationKinds = [
  'friend-requested',
  'friend-accepted',
  'challenge-joined',
  'challenge-completed',
  'challenge-changed',
  'challenge-ending',
  'moderation-decided',
  'archive-ready',
] as const;
export const NotificationKind = z.enum(notificationKinds).meta({ id: 'NotificationKind' });
export type NotificationKind = z.infer<typeof NotificationKind>;

/** So many unread ones, or people of one, are counted; more are as many. */
export const maxCounted = 100;

/** What admins, or enough reports, make of what is somebody's. */
const changesDecided = [
  'deleted',
  'hidden',
  'removed',
  'suspended',
  'restored',
  'upheld',
  'points-wait',
  'points-count',
  'points-withdrawn',
] as const;

/** What somebody is told: all of one kind that one challenge is about is one, and moves up when there is more of it. */
export const Notification = z
  .object({
    id: z.string().meta({ description: 'One person’s own: others may have the same.' }),
    kind: NotificationKind,
    at: Moment,
    read: z.boolean(),
    people: z
      .array(PublicUser.pick({ id: true, username: true, avatar: true }))
      .meta({ description: 'Who did it since it was last read, the last first; three at most.' }),
    count: z
      .int()
      .min(0)
      .max(maxCounted)
      .meta({ description: `How many did it; ${maxCounted} stands for more.` }),
    challenge: z
      .object({ id: Id, name: z.string(), endDate: Day.nullable() })
      .nullable()
      .meta({ description: 'The one that it is about, as it was then.' }),
    change: z
      .enum([...changesDecided, 'edited', 'closed'])
      .nullable()
      .meta({ description: 'What became of it, where that is what is told.' }),
    reason: z.string().optional().meta({ description: 'What an admin says of it.' }),
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof Notification>;

const Unread = z.object({ unread: z.int().min(0).max(maxCounted) });

/** What was decided about what is theirs is told whatever they want, and so is what they asked for. */
type Wanted = Exclude<NotificationKind, 'moderation-decided' | 'archive-ready'>;

/** Which kinds somebody wants to be told of; all at first. */
export const NotificationPreferences = z
  .object({
    'friend-requested': z.boolean(),
    'friend-accepted': z.boolean(),
    'challenge-joined': z.boolean(),
    'challenge-completed': z.boolean(),
    'challenge-changed': z.boolean(),
    'challenge-ending': z.boolean(),
  } satisfies Record<Wanted, z.ZodType>)
  .meta({ id: 'NotificationPreferences' });
export type NotificationPreferences = z.infer<typeof NotificationPreferences>;

/** The languages that a message to a closed app is written in. */
export const PushLanguage = z.enum(['en', 'zh']);
export type PushLanguage = z.infer<typeof PushLanguage>;

/** As `PushSubscription.toJSON()` of a browser tells it (W3C Push API), and the language of its reader. */
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

/** What a browser’s service worker is given to show while the app is closed. */
export const PushMessage = z.object({
  title: z.string(),
  body: z.string(),
  url: z.string().meta({ description: 'Where it leads: a path of this app.' }),
  tag: z.string().meta({ description: 'A later one with the same takes its place.' }),
});
export type PushMessage = z.infer<typeof PushMessage>;

export const notificationsOperations = {
  listNotifications: operation({
    service: 'notifications',
    method: 'GET',
    path: '/api/notifications/',
    access: 'member',
    summary: 'What the caller was told in the last 90 days, the newest first',
    query: z.object({ limit: limit(100).optional(), cursor: Cursor.optional() }),
    status: [200],
    answer: z.array(Notification),
    problems: ['unauthenticated'],
  }),
  countUnreadNotifications: operation({
    service: 'notifications',
    method: 'GET',
    path: '/api/notifications/unread',
    access: 'member',
    summary: `How many the caller has not read; ${maxCounted} stands for more`,
    status: [200],
    answer: Unread,
    problems: ['unauthenticated'],
  }),
  markNotificationsRead: operation({
    service: 'notifications',
    method: 'PUT',
    path: '/api/notifications/read',
    access: 'member',
    summary: 'Mark as read: all until a moment, or one',
    body: z.union(
      [z.object({ until: Moment }), z.object({ id: z.string().max(60) })],
      'must say until when, or which',
    ),
    status: [200],
    answer: Unread,
    problems: ['unauthenticated'],
  }),
  getNotificationPreferences: operation({
    service: 'notifications',
    method: 'GET',
    path: '/api/notifications/preferences',
    access: 'member',
    summary: 'Which kinds the caller wants to be told of; all at first',
    status: [200],
    answer: NotificationPreferences,
    problems: ['unauthenticated'],
  }),
  updateNotificationPreferences: operation({
    service: 'notifications',
    method: 'PUT',
    path: '/api/notifications/preferences',
    access: 'member',
    summary: 'Change which kinds the caller wants to be told of',
    body: NotificationPreferences.partial(),
    status: [200],
    answer: NotificationPreferences,
    problems: ['unauthenticated'],
  }),
  getPushKey: operation({
    service: 'notifications',
    method: 'GET',
    path: '/api/notifications/push/key',
    access: 'member',
    summary: 'The public key that a browser subscribes to push messages with (VAPID, RFC 8292)',
    status: [200],
    answer: z.object({ key: z.string() }),
    problems: ['unauthenticated'],
  }),
  subscribeToPush: operation({
    service: 'notifications',
    method: 'POST',
    path: '/api/notifications/push',
    access: 'member',
    creates: true,
    summary:
      'Be told in this browser too, also while the app is closed, until the caller logs out; ten browsers at most, the oldest goes',
    body: NewPushSubscription,
    status: [201],
    answer: z.object({ id: Id }),
    problems: ['unauthenticated'],
  }),
  unsubscribeFromPush: operation({
    service: 'notifications',
    method: 'DELETE',
    path: '/api/notifications/push/{id}',
    access: 'member',
    summary: 'End a subscription of the caller’s, if there is one',
    params: z.object({ id: IdText }),
    status: [204],
    problems: ['unauthenticated'],
  }),
};
