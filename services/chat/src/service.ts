import { createClient } from '@wayquest/contracts';
import {
  callHeaders,
  createFriendshipReplica,
  createService,
  createUserReplica,
  type Service,
  type ServiceDeps,
} from '@wayquest/platform';
import { consumers } from './consumers.ts';
import { createContacts } from './contacts.ts';
import { createConversations } from './conversations.ts';
import { createMessages } from './messages.ts';
import { createPreferences } from './preferences.ts';
import { routes } from './routes.ts';

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
    const contacts = createContacts(friendships, users, friendsClient);
    const preferences = createPreferences(kit);
    const conversations = createConversations(kit, contacts, preferences);
    const messages = createMessages(kit, conversations, contacts);
    return {
      routes: (http) => routes(http, { conversations, messages, preferences }),
      consumers: consumers({ users, friendships, conversations }),
    };
  });
