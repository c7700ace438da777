import { operations } from '@wayquest/contracts';
import { type HttpApp, Reply } from '@wayquest/platform';
import type { Conversations } from './conversations.ts';
import type { Messages } from './messages.ts';
import type { Preferences } from './preferences.ts';

export interface ChatOperations {
  conversations: Conversations;
  messages: Messages;
  preferences: Preferences;
}

export function routes(http: HttpApp, { conversations, messages, preferences }: ChatOperations): void {
  http.serve(operations.listConversations, async ({ params, caller }) =>
    conversations.list(params.userId, caller),
  );
  http.serve(operations.openConversation, async ({ body, caller }) => {
    const { conversation, isNew } = await conversations.open(body.friend.id, caller);
    return new Reply(conversation, { status: isNew ? 201 : 200 });
  });
  http.serve(operations.markConversationRead, async ({ params, body, caller }) =>
    conversations.markRead(params.id, body.messageId, caller),
  );
  http.serve(operations.listMessages, async ({ params, query, caller }) =>
    messages.list(params.conversationId, query, caller),
  );
  http.serve(operations.sendMessage, async ({ body, caller }) => {
    const { message, isNew } = await messages.send(body, caller);
    return new Reply(message, { status: isNew ? 201 : 200 });
  });
  http.serve(operations.getChatPreferences, async ({ caller }) => preferences.of(caller.id));
  http.serve(operations.updateChatPreferences, async ({ body, caller }) =>
    preferences.update(caller.id, body),
  );
}
