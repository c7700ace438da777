import { createClient } from '@wayquest/contracts';
import { limits } from '@wayquest/platform/core';
import { createRateLimiter } from '@wayquest/platform/redis';
import { createBlockReplica, createFriendshipReplica, createUserReplica } from '@wayquest/platform/replicas';
import {
  createService,
  defineService,
  ownDataKind,
  type Service,
  type ServiceDeps,
} from '@wayquest/platform/service';
import { limitSetting, redisUrlSetting } from '@wayquest/platform/settings';
import { callHeaders } from '@wayquest/platform/telemetry';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { conversationModel } from './conversation.model.ts';
import { createConversationPreviews } from './conversation-previews.ts';
import { createConversations } from './conversations.ts';
import { createFriendAccess } from './friend-access.ts';
import { createMessages, ownMessages } from './messages.ts';
import { lastMessages, readReceiptsName, senderSequence } from './migrations.ts';
import { createPreferences, preferencesModel } from './preferences.ts';
import { routes } from './routes.ts';

/** Settings of the chat service, besides those of every service. */
const settings = z.object({
  REDIS_URL: redisUrlSetting,
  MESSAGES_PER_MINUTE: limitSetting(limits.messages),
  MESSAGES_UNANSWERED: limitSetting(limits.unansweredMessages),
});

export interface ChatDeps extends ServiceDeps {
  /** The URL of the friends service, which is called for friendships whose event has not arrived yet. */
  friendsUrl: () => string;
  /** How many messages a person may send to another one in a minute. */
  messagesPerMinute: number;
  /** How many to somebody who has never replied; unlimited if undefined. */
  messagesUnanswered?: number;
  /** Counts them for all instances together; in memory without it. */
  redis?: Redis | undefined;
}

/** Creates the chat service. */
export const createChatService = ({
  friendsUrl,
  messagesPerMinute,
  messagesUnanswered = Number.MAX_SAFE_INTEGER,
  redis,
  ...deps
}: ChatDeps): Service =>
  createService('chat', deps, (kit) => {
    const friendsClient = createClient({ baseUrl: friendsUrl, headers: callHeaders, timeoutMs: 3_000 });
    const users = createUserReplica(kit.connection, kit.clock);
    const friendships = createFriendshipReplica(kit.connection, kit.clock);
    const blocks = createBlockReplica(kit.connection);
    const people = createFriendAccess({
      friendships,
      users,
      erasedUsers: kit.erasedUsers,
      friendsClient,
    });
    const preferences = createPreferences(kit);
    const last = createConversationPreviews(kit);
    const conversations = createConversations({ kit, people, blocks, preferences, last });
    const limiter = createRateLimiter({ ...limits.messages, max: messagesPerMinute }, redis);
    const messages = createMessages({
      kit,
      conversations,
      people,
      last,
      limiter,
      maxUnanswered: messagesUnanswered,
    });
    return {
      migrations: [senderSequence(kit), lastMessages(kit, last), readReceiptsName(kit)],
      routes: (http) => routes(http, { conversations, messages, preferences }),
      consumers: {
        'user.profile-changed.v1': users.apply,
        'points.awarded.v1': users.applyPoints,
        'points.revoked.v1': users.applyPoints,
        'friend.accepted.v1': async (event) => {
          await friendships.applyAccepted(event);
          await conversations.openForFriends(event.data.userIds);
        },
        'friend.removed.v1': friendships.applyRemoved,
        'user.blocked.v1': blocks.applyBlocked,
        'moderation.decided.v1': messages.applyDecision,
        'user.unblocked.v1': blocks.applyUnblocked,
      },
      ownData: [
        // Read receipts belong to the other person.
        ownDataKind(
          'conversations',
          conversationModel(kit.connection),
          (id) => [{ senderId: id }, { receiverId: id }],
          ({ senderId, receiverId, last }) => ({ senderId, receiverId, last }),
        ),
        ownMessages(kit),
        ownDataKind('preferences', preferencesModel(kit.connection), (_id) => ({ _id })),
      ],
      // Blocks contain ids only, and continue to hide conversations.
      async erase(userId) {
        await Promise.all([users, friendships, preferences].map((each) => each.erase(userId)));
      },
      pruneStale: {
        users: users.pruneStale,
        async friends(since) {
          await Promise.all([friendships.pruneStale(since), blocks.pruneStale(since)]);
        },
      },
    };
  });

/** The service's definition, for a process of its own or with all others. */
export const chatService = defineService({
  name: 'chat',
  settings,
  calls: ['friends'],
  create: ({ REDIS_URL, MESSAGES_PER_MINUTE, MESSAGES_UNANSWERED }, { urlOf, redis, ...deps }) =>
    createChatService({
      ...deps,
      friendsUrl: () => urlOf('friends'),
      messagesPerMinute: MESSAGES_PER_MINUTE,
      messagesUnanswered: MESSAGES_UNANSWERED,
      redis: redis(REDIS_URL),
    }),
});
