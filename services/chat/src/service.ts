import { createClient } from '@wayquest/contracts';
import { createRateLimiter } from '@wayquest/platform/redis';
import { createBlockReplica, createFriendshipReplica, createUserReplica } from '@wayquest/platform/replicas';
import { createService, defineService, type Service, type ServiceDeps } from '@wayquest/platform/service';
import { callHeaders } from '@wayquest/platform/telemetry';
import type { Redis } from 'ioredis';
import { consumers } from './consumers.ts';
import { createConversations } from './conversations.ts';
import { createLastMessages } from './last-messages.ts';
import { createMessages } from './messages.ts';
import { migrate } from './migrations.ts';
import { createPeople } from './people.ts';
import { createPreferences } from './preferences.ts';
import { routes } from './routes.ts';
import { settings } from './settings.ts';

export interface ChatDeps extends ServiceDeps {
  /** Where friends answers, asked for a friendship whose event is not here yet. */
  friendsUrl: () => string;
  /** How many messages one may send to one other in a minute. */
  messagesPerMinute: number;
  /** Counts them for all instances together; in memory without it. */
  redis?: Redis | undefined;
}

/** The whole chat service as a value. */
export const createChatService = ({ friendsUrl, messagesPerMinute, redis, ...deps }: ChatDeps): Service =>
  createService('chat', deps, (kit) => {
    const friendsClient = createClient({ baseUrl: friendsUrl, headers: callHeaders, timeoutMs: 3_000 });
    const users = createUserReplica(kit.connection);
    const friendships = createFriendshipReplica(kit.connection);
    const blocks = createBlockReplica(kit.connection);
    const people = createPeople({ friendships, users, friendsClient });
    const preferences = createPreferences(kit);
    const last = createLastMessages(kit);
    const conversations = createConversations({ kit, people, blocks, preferences, last });
    const limiter = createRateLimiter(
      {
        ...{ name: 'messages', points: messagesPerMinute, seconds: 60, problem: 'too-many-requests' },
        detail: 'That were many messages at once. Please wait a moment before the next one.',
      },
      redis,
    );
    const messages = createMessages({ kit, conversations, people, last, limiter });
    return {
      prepare: () => migrate({ kit, last }),
      routes: (http) => routes(http, { conversations, messages, preferences }),
      consumers: consumers({ users, friendships, blocks, conversations }),
      forget: {
        users: users.forget,
        async friends(since) {
          await Promise.all([friendships.forget(since), blocks.forget(since)]);
        },
      },
    };
  });

/** As it is run, alone or with the others. */
export const chatService = defineService({
  name: 'chat',
  settings,
  asks: ['friends'],
  fromSettings: ({ REDIS_URL, MESSAGES_PER_MINUTE }, { urlOf, redis, ...given }) =>
    createChatService({
      ...given,
      friendsUrl: () => urlOf('friends'),
      messagesPerMinute: MESSAGES_PER_MINUTE,
      redis: redis(REDIS_URL),
    }),
});
