import { z } from 'zod';
import { operation } from './operation.ts';
import { Id, IdText, limit, Moment } from './primitives.ts';
import { freeText } from './text.ts';
import { textLimits } from './text-limits.ts';
import { PublicUser } from './users.ts';

/**
 * A message. Within a conversation the ids are consecutive in the order in which the messages were saved, so that
 * a client sees by a jump that it missed some, and asks for them with `?after=`.
 */
export const Message = z
  .object({
    id: Id,
    sender: Id,
    text: z.string(),
    conversationId: Id,
    createdAt: Moment,
    removed: z
      .literal(true)
      .optional()
      .meta({ description: 'It was reported and is not shown any more; its text is empty.' }),
    clientId: z.string().nullable().meta({ description: 'What its sender named it by before it had an id.' }),
  })
  .meta({ id: 'Message' });
export type Message = z.infer<typeof Message>;

/** How much of the newest message a list shows. */
export const maxPreviewLength = 100;

/** Two people's conversation, as one of them sees it. What tells of its messages follows them by a moment. */
export const Conversation = z
  .object({
    id: Id,
    senderId: Id,
    receiverId: Id,
    user: PublicUser.meta({ description: 'The other one.' }),
    open: z.boolean().meta({ description: 'Whether they are friends: else it can be read, not written.' }),
    last: Message.pick({ id: true, sender: true, text: true, createdAt: true })
      .nullable()
      .meta({ description: `The newest message, its text cut after ${maxPreviewLength} characters.` }),
    unread: z.int().nonnegative().meta({ description: 'The other one’s messages past readId; 100 at most.' }),
    readId: Id.nullable().meta({ description: 'The last message that the caller has read.' }),
    otherReadId: Id.nullable().meta({
      description: 'The last message that the other one has read; null also where they do not show it.',
    }),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.infer<typeof Conversation>;

/** The most unread messages that are counted. */
export const maxUnread = 100;

/** How many messages an answer holds when nobody says, and at most. */
export const messagesPerPage = 200;

/** An id, as a number or as the text that it is in the messenger's address. */
const IdOrText = z.union([Id, IdText]);

/** A new message. The sender is the caller, whatever the body says. */
export const NewMessage = z
  .object({
    sender: z.unknown().optional().meta({ description: 'Ignored: it is the caller.' }),
    text: freeText(textLimits.message).min(1, 'must not be empty'),
    conversationId: IdOrText,
    clientId: z.string().min(1).max(64).optional().meta({
      description: 'Names the message before it has an id: a repeated call answers the first message.',
    }),
  })
  .meta({ id: 'NewMessage' });
export type NewMessage = z.output<typeof NewMessage>;

/** What a person wants of chat. */
export const ChatPreferences = z
  .object({
    keepDrafts: z.boolean().meta({ description: 'Unsent text stays with its conversation.' }),
    showTyping: z.boolean().meta({ description: 'Friends see that one is writing.' }),
    showReadMarks: z.boolean().meta({ description: 'Friends see how far one has read.' }),
  })
  .meta({ id: 'ChatPreferences' });
export type ChatPreferences = z.infer<typeof ChatPreferences>;

export const chatOperations = {
  listConversations: operation({
    service: 'chat',
    method: 'GET',
    path: '/api/conversations/{userId}',
    access: 'owner',
    weight: 4,
    summary: 'The caller’s conversations, that with the newest message first; `userId` is their own id',
    params: z.object({ userId: IdText }),
    status: [200],
    answer: z.array(Conversation),
    problems: ['unauthenticated', 'forbidden'],
  }),
  openConversation: operation({
    service: 'chat',
    method: 'POST',
    path: '/api/conversations',
    access: 'member',
    creates: true,
    summary: 'The conversation with a friend, made if need be: there is one for two people',
    body: z.object({
      friend: z.object({ id: Id }),
      auth: z.unknown().optional().meta({ description: 'Ignored: it is the caller.' }),
    }),
    status: [201, 200],
    answer: Conversation,
    problems: ['unauthenticated', 'not-friends'],
  }),
  markConversationRead: operation({
    service: 'chat',
    method: 'PUT',
    path: '/api/conversations/{id}/read',
    access: 'owner',
    summary: 'Note up to which message the caller has read; it never goes back',
    params: z.object({ id: IdText }),
    body: z.object({ messageId: Id }),
    status: [200],
    answer: Conversation,
    problems: ['unauthenticated', 'forbidden', 'conversation-not-found', 'message-not-found'],
  }),
  listMessages: operation({
    service: 'chat',
    method: 'GET',
    path: '/api/messages/{conversationId}',
    access: 'owner',
    summary: 'The newest messages in ascending order; `before` for older ones, `after` for what was missed',
    params: z.object({ conversationId: IdText }),
    query: z.object({
      before: IdText.optional(),
      after: IdText.optional().meta({ description: 'The next ones; a full answer may not be all of them.' }),
      limit: limit(messagesPerPage).optional(),
    }),
    status: [200],
    answer: z.array(Message),
    problems: ['unauthenticated', 'forbidden', 'conversation-not-found'],
  }),
  sendMessage: operation({
    service: 'chat',
    method: 'POST',
    path: '/api/messages',
    access: 'member',
    creates: true,
    summary: 'Send a message to a friend; with the same `clientId` again it answers the first one',
    body: NewMessage,
    status: [201, 200],
    answer: Message,
    problems: ['unauthenticated', 'forbidden', 'conversation-not-found', 'not-friends', 'no-answer-yet'],
  }),
  getChatPreferences: operation({
    service: 'chat',
    method: 'GET',
    path: '/api/chat/preferences',
    access: 'member',
    summary: 'What the caller wants of chat; everything is on at first',
    status: [200],
    answer: ChatPreferences,
    problems: ['unauthenticated'],
  }),
  updateChatPreferences: operation({
    service: 'chat',
    method: 'PUT',
    path: '/api/chat/preferences',
    access: 'member',
    summary: 'Change what the caller wants of chat',
    body: ChatPreferences.partial(),
    status: [200],
    answer: ChatPreferences,
    problems: ['unauthenticated'],
  }),
};
