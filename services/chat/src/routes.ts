import { operations } from '@wayquest/contracts';
import { type HttpApp, ResponseWithHeaders } from '@wayquest/platform/http';
import { ownersOf } from './conversation.model.ts';
import type { Conversations } from './conversations.ts';
import type { Messages } from './messages.ts';
import type { Preferences } from './preferences.ts';

export interface ChatOperations {
  conversations: Conversations;
  messages: Messages;
  preferences: Preferences;
}

export function routes(http: HttpApp, { conversations, messages, preferences }: ChatOperations): void {
  http.serveOwned(operations.listConversations, {
    find: async ({ params }) => params.userId,
    owners: (userId) => [userId],
    handle: async (_, userId) => conversations.list(userId),
  });
  http.serve(operations.openConversation, async ({ body, caller }) => {
    const { conversation, isNew } = await conversations.open(body.friend.id, caller);
    return new ResponseWithHeaders(conversation, { status: isNew ? 201 : 200 });
  });
  http.serveOwned(operations.markConversationRead, {
    find: async ({ params }) => conversations.find(params.id),
    owners: ownersOf,
    handle: async ({ body, caller }, conversation) =>
      conversations.markRead(conversation, body.messageId, caller),
  });
  http.serveOwned(operations.listMessages, {
    find: async ({ params }) => conversations.pairOf(params.conversationId),
    owners: ownersOf,
    handle: async ({ query, caller }, pair) => messages.list(pair, query, caller),
  });
  http.serve(operations.sendMessage, async ({ body, caller, idempotency }) => {
    const { clientId = idempotency?.key } = body;
    const { message, isNew } = await messages.send({ ...body, clientId }, caller);
    return new ResponseWithHeaders(message, { status: isNew ? 201 : 200 });
  });
  http.serveOwned(operations.deleteMessage, {
    find: async ({ params }) => conversations.pairOf(params.conversationId),
    owners: ownersOf,
    handle: async ({ params, caller }, pair) => {
      await messages.delete(pair, params.id, caller);
      return undefined;
    },
  });
  http.serve(operations.getChatPreferences, async ({ caller }) => preferences.of(caller.id));
  http.serve(operations.updateChatPreferences, async ({ body, caller }) =>
    preferences.update(caller.id, body),
  );
}
