import { createClient } from '@wayquest/contracts';
import { createFriendshipReplica, createUserReplica } from '@wayquest/platform/replicas';
import { createService, defineService, type Service, type ServiceDeps } from '@wayquest/platform/service';
import { callHeaders } from '@wayquest/platform/telemetry';
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
}

/** The whole chat service as a value. */
export const createChatService = ({ friendsUrl, ...deps }: ChatDeps): Service =>
  createService('chat', deps, (kit) => {
    const friendsClient = createClient({ baseUrl: friendsUrl, headers: callHeaders, timeoutMs: 3_000 });
    const users = createUserReplica(kit.connection);
    const friendships = createFriendshipReplica(kit.connection);
    const people = createPeople({ friendships, users, friendsClient });
    const preferences = createPreferences(kit);
    const last = createLastMessages(kit);
    const conversations = createConversations({ kit, people, preferences, last });
    const messages = createMessages({ kit, conversations, people, last });
    return {
      prepare: () => migrate({ kit, last }),
      routes: (http) => routes(http, { conversations, messages, preferences }),
      consumers: consumers({ users, friendships, conversations }),
      forget: {
        users: users.forget,
        async friends(since) {
          await friendships.forget(since);
        },
      },
    };
  });

/** As it is run, alone or with the others. */
export const chatService = defineService({
  name: 'chat',
  settings,
  asks: ['friends'],
  fromSettings: (_settings, { urlOf, ...given }) =>
    createChatService({ ...given, friendsUrl: () => urlOf('friends') }),
});
