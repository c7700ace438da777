import { createClient } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import {
  type BlockReplica,
  createBlockReplica,
  createChallengeReplica,
  createFriendshipReplica,
  createMembershipReplica,
  createUserReplica,
  type FriendshipReplica,
  type MembershipReplica,
  type UserReplica,
} from '@wayquest/platform/replicas';
import {
  createService,
  defineService,
  ownDataKind,
  type Service,
  type ServiceDeps,
  type ServiceParts,
} from '@wayquest/platform/service';
import {
  defaultSite,
  publicUrlDescription,
  publicUrlSetting,
  siteNameSetting,
} from '@wayquest/platform/settings';
import { callHeaders } from '@wayquest/platform/telemetry';
import { z } from 'zod';
import { type ChallengeNotifier, createChallengeNotifier } from './challenge-news.ts';
import { createExpiryReminders } from './expiry-reminders.ts';
import { actors, expiryReminders, flaggedPoints, revokedPoints } from './migrations.ts';
import { type NotificationDocument, notificationModel } from './notification.model.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { createPreferences, preferencesModel } from './preferences.ts';
import { createPush } from './push.ts';
import {
  createPushKeys,
  createPushSubscriptions,
  type PushSubscriptionDocument,
  subscriptionModel,
} from './push-subscriptions.ts';
import { routes } from './routes.ts';

/** An origin, or all of a name's: `https://*.push.apple.com`. */
const ServiceOrigin = z
  .string()
  .trim()
  .regex(
    /^https?:\/\/(\*\.)?[a-z\d.-]+(:\d{1,5})?$/,
    'must be addresses like https://push.example or https://*.push.example',
  );

/** Those of Chrome, Firefox, Safari and Edge. */
const pushServices = [
  'https://fcm.googleapis.com',
  'https://updates.push.services.mozilla.com',
  'https://*.push.apple.com',
  'https://*.notify.windows.com',
].join(',');

/** The service's own settings, beside the platform's. */
const settings = z.object({
  PUSH_SERVICES: z
    .string()
    .default(pushServices)
    .transform((list) => list.split(','))
    .pipe(z.array(ServiceOrigin))
    .describe(
      'The allowed push services: their origins, separated by commas; `*.` stands for any subdomain.',
    ),
  PUSH_CONTACT: z
    .string()
    .regex(
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
      'must be mailto: with an e-mail address, or an https:// address',
    )
    .optional()
    .describe(
      'How operators of push services can contact you: `mailto:…` or `https://…` (RFC 8292, section 2.1). Without it, `PUBLIC_URL`, if that is an https:// address. Apple refuses messages without a contact that exists.',
    ),
  PUBLIC_URL: publicUrlSetting.optional().describe(publicUrlDescription),
  SITE_NAME: siteNameSetting,
});

/** No push service can use it. */
const unknownContact = 'mailto:wayquest@localhost.localdomain';

interface ConsumerDeps {
  users: UserReplica;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
  memberships: MembershipReplica;
  challengeNews: ChallengeNotifier;
  notifications: Notifications;
}

/** Replayed events update replicas only; nobody is notified. */
const consumers = ({
  users,
  friendships,
  blocks,
  memberships,
  challengeNews,
  notifications,
}: ConsumerDeps): ServiceParts<'notifications'>['consumers'] => ({
  'user.profile-changed.v1': users.apply,
  'challenge.created.v1': challengeNews.onChanged,
  'challenge.updated.v1': challengeNews.onChanged,
  'challenge.deleted.v1': challengeNews.onDeleted,
  'challenge.joined.v1': async (event) => {
    await memberships.applyJoined(event);
    if (!event.replayed) await challengeNews.notifyCreator('challenge-joined', event);
  },
  'challenge.left.v1': memberships.applyLeft,
  'challenge.completed.v1': async (event) => {
    await memberships.applyCompleted(event);
    if (!event.replayed) await challengeNews.notifyCreator('challenge-completed', event);
  },
  'completion.thanked.v1': challengeNews.notifyOfThanks,
  'friend.requested.v1': async (event) => {
    await friendships.applyRequested(event);
    if (event.replayed) return;
    const { requestId, userIds } = event.data;
    const [actorId, receiverId] = userIds;
    await notifications.notifyUser(
      receiverId,
      { kind: 'friend-requested', subjectId: requestId, actorId },
      event,
    );
    // Its end may have come first, or meanwhile.
    if (!(await friendships.hasRequest(requestId)))
      await notifications.retract(receiverId, 'friend-requested', requestId);
  },
  'friend.accepted.v1': async (event) => {
    await friendships.applyAccepted(event);
    if (event.replayed) return;
    const { requestId, userIds } = event.data;
    const [senderId, actorId] = userIds;
    await notifications.retract(actorId, 'friend-requested', requestId);
    await notifications.notifyUser(
      senderId,
      { kind: 'friend-accepted', subjectId: requestId, actorId },
      event,
    );
    if (!(await friendships.areFriends(senderId, actorId)))
      await notifications.retract(senderId, 'friend-accepted', requestId);
  },
  'friend.removed.v1': async (event) => {
    await friendships.applyRemoved(event);
    const { requestId, userIds } = event.data;
    const [senderId, receiverId] = userIds;
    await notifications.retract(receiverId, 'friend-requested', requestId);
    await notifications.retract(senderId, 'friend-accepted', requestId);
  },
  'user.blocked.v1': async (event) => {
    await blocks.applyBlocked(event);
    const { userId, blockedId } = event.data;
    await notifications.hide(userId, blockedId);
    await notifications.hide(blockedId, userId);
  },
  'user.unblocked.v1': blocks.applyUnblocked,
  'moderation.decided.v1': notifications.notifyOfDecision,
  'points.decided.v1': notifications.notifyOfPoints,
  'archive.ready.v1': notifications.notifyOfArchive,
  'archive.failed.v1': notifications.notifyOfFailedArchive,
});

export interface NotificationsDeps extends ServiceDeps {
  /** URL of the challenges service, called only for a challenge whose event has not arrived yet. */
  challengesUrl: () => string;
  /** The origins of push services, and the address that they may contact. */
  push: { services: readonly string[]; contact: string | undefined };
  /** The title of push messages. */
  siteName?: string;
  /** Delay of push messages, in milliseconds: what is read by then needs none. */
  pushDelayMs?: number;
  /** How often to look for challenges that end soon, in milliseconds. */
  remindersEveryMs?: number;
}

const withoutHistory = ({ actorHistory: _, ...notification }: NotificationDocument) => notification;

/** The keys would allow others to send to the browser. */
const withoutKeys = ({ keys: _, ...subscription }: PushSubscriptionDocument) => subscription;

const defaultPushAfterMs = 5_000;
const defaultRemindersEveryMs = 60_000;

/** Creates the notifications service. */
export const createNotificationsService = ({
  challengesUrl,
  push: { services, contact },
  siteName = defaultSite.name,
  pushDelayMs = defaultPushAfterMs,
  remindersEveryMs = defaultRemindersEveryMs,
  ...deps
}: NotificationsDeps): Service =>
  createService('notifications', deps, (kit) => {
    const { connection, clock } = kit;
    const challengesClient = createClient({
      baseUrl: challengesUrl,
      headers: callHeaders,
      timeoutMs: 3_000,
    });
    const challenges = createChallengeReplica(connection, challengesClient, clock);
    const memberships = createMembershipReplica(connection);
    const users = createUserReplica(connection, clock);
    const friendships = createFriendshipReplica(connection, clock);
    const blocks = createBlockReplica(connection);
    const preferences = createPreferences(kit);
    const publishChanged = async (userIds: number[]) =>
      deps.bus.publish(newEvent('notifications.changed.v1', { userIds }, clock));
    const notifications = createNotifications({
      kit,
      users,
      challenges,
      blocks,
      preferences,
      pushDelayMs,
      onChanged: publishChanged,
    });
    const reminders = createExpiryReminders(kit);
    const challengeNews = createChallengeNotifier({
      ...{ clock, challenges, memberships, users, friendships, blocks, notifications, reminders },
    });
    const keys = createPushKeys(kit);
    const subscriptions = createPushSubscriptions({ kit, services });
    if (!contact)
      kit.logger.warn('push messages have no contact, without which Apple refuses them: set PUSH_CONTACT');
    const push = createPush({
      ...{ kit, users, subscriptions, keys: keys.get, contact: contact ?? unknownContact },
      title: siteName,
      intervalMs: pushDelayMs,
    });
    return {
      migrations: [actors(kit), revokedPoints(kit), expiryReminders(kit), flaggedPoints(kit)],
      prepare: keys.prepare,
      routes: (http) => routes(http, { notifications, preferences, subscriptions, keys: keys.get }),
      consumers: consumers({ users, friendships, blocks, memberships, challengeNews, notifications }),
      ownData: [
        // Without the history of others' activity, which is their data; a notification names the people that it is
        // about.
        ownDataKind('notifications', notificationModel(connection), (userId) => ({ userId }), withoutHistory),
        ownDataKind('preferences', preferencesModel(connection), (_id) => ({ _id })),
        ownDataKind(
          'push-subscriptions',
          subscriptionModel(connection),
          (userId) => ({ userId }),
          withoutKeys,
        ),
      ],
      async erase(userId) {
        const replicas = [users, challenges, memberships, friendships, blocks];
        const all = [notifications, preferences, subscriptions, ...replicas];
        await Promise.all(all.map((each) => each.erase(userId)));
      },
      pruneStale: {
        users: users.pruneStale,
        challenges: challenges.pruneStale,
        participation: memberships.pruneStale,
        async friends(since) {
          await friendships.pruneStale(since);
          await blocks.pruneStale(since);
        },
      },
      onRevoked: subscriptions.end,
      background: {
        async start() {
          reminders.start(challengeNews.onEnding, remindersEveryMs);
          push.start();
        },
        async stop() {
          await Promise.all([reminders.stop(), push.stop()]);
        },
        close: async () => {},
        ready: () => true,
      },
    };
  });

/** How the service is created from its settings. */
export const notificationsService = defineService({
  name: 'notifications',
  settings,
  calls: ['challenges'],
  create: (
    { PUSH_SERVICES, PUSH_CONTACT, PUBLIC_URL, SITE_NAME },
    { urlOf, defaultPublicUrl, ...deps },
    tuning?: NotificationsTuning,
  ) =>
    createNotificationsService({
      ...deps,
      ...tuning,
      challengesUrl: () => urlOf('challenges'),
      siteName: SITE_NAME,
      push: {
        services: PUSH_SERVICES,
        contact:
          PUSH_CONTACT ??
          (PUBLIC_URL?.startsWith('https:') ? PUBLIC_URL : undefined) ??
          // On the person's own machine there is nobody else to contact.
          (defaultPublicUrl && unknownContact),
      },
    }),
});

/** What tests may change. */
export type NotificationsTuning = Pick<NotificationsDeps, 'pushDelayMs' | 'remindersEveryMs'>;
