import { createClient } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import {
  createBlockReplica,
  createChallengeReplica,
  createFriendshipReplica,
  createMembershipReplica,
  createUserReplica,
} from '@wayquest/platform/replicas';
import {
  createService,
  defineService,
  ownDataKind,
  type Service,
  type ServiceDeps,
} from '@wayquest/platform/service';
import { callHeaders } from '@wayquest/platform/telemetry';
import { createChallengeNews } from './challenge-news.ts';
import { consumers } from './consumers.ts';
import { createExpiryReminders } from './expiry-reminders.ts';
import { actors, expiryReminders, revokedPoints } from './migrations.ts';
import { type NotificationDocument, notificationModel } from './notification.model.ts';
import { createNotifications } from './notifications.ts';
import { createPreferences, preferencesModel } from './preferences.ts';
import { createPush } from './push.ts';
import { createPushKeys } from './push-keys.ts';
import {
  createPushSubscriptions,
  type PushSubscriptionDocument,
  subscriptionModel,
} from './push-subscriptions.ts';
import { routes } from './routes.ts';
import { settings } from './settings.ts';

export interface NotificationsDeps extends ServiceDeps {
  /** URL of the challenges service, called only for a challenge whose event has not arrived yet. */
  challengesUrl: () => string;
  /** The origins of push services, and the address that they may contact. */
  push: { services: readonly string[]; contact: string };
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
      blocks,
      preferences,
      pushDelayMs,
      onChanged: publishChanged,
    });
    const reminders = createExpiryReminders(kit);
    const challengeNews = createChallengeNews({
      ...{ clock, challenges, memberships, users, friendships, blocks, notifications, reminders },
    });
    const keys = createPushKeys(kit);
    const subscriptions = createPushSubscriptions({ kit, services });
    const push = createPush({
      ...{ kit, users, subscriptions, keys: keys.get, contact },
      intervalMs: pushDelayMs,
    });
    return {
      migrations: [actors(kit), revokedPoints(kit), expiryReminders(kit)],
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
  create: ({ PUSH_SERVICES, PUSH_CONTACT }, { urlOf, ...deps }, tuning?: NotificationsTuning) =>
    createNotificationsService({
      ...deps,
      ...tuning,
      challengesUrl: () => urlOf('challenges'),
      push: { services: PUSH_SERVICES, contact: PUSH_CONTACT },
    }),
});

/** What tests may change. */
export type NotificationsTuning = Pick<NotificationsDeps, 'pushDelayMs' | 'remindersEveryMs'>;
