import { z } from 'zod';
import { operation } from './operation.ts';
import { freeText, Id, IdText, limit, Timestamp } from './primitives.ts';
import { textLimits } from './text.ts';
import { PublicUser } from './users.ts';

/**
 * A message. Ids of a conversation are consecutive in the order in which messages were saved, so that a client detects a gap and
 * fetches the missed ones with `?after=`.
 */
export const Message = z
  .object({
    id: Id,
    sender: Id,
    text: z.string(),
    conversationId: Id,
    createdAt: Timestamp,
    removed: z
      .literal(true)
      .optional()
      .meta({ description: 'It was removed after a report; its text is empty.' }),
    deleted: z.literal(true).optional().meta({ description: 'Its sender deleted it; its text is empty.' }),
    clientId: z
      .string()
      .nullable()
      .meta({ description: 'The sender’s own id for it, from before it was saved.' }),
    can: z
      .object({
        delete: z.boolean().meta({
          description: 'Whether it is the caller’s, and was sent within the last hour.',
        }),
        report: z.boolean().meta({ description: 'Whether it is the other person’s, and not gone.' }),
      })
      .optional()
      .meta({ description: 'What the caller can do with it. Absent in events.' }),
  })
  .meta({ id: 'Message' });
export type Message = z.infer<typeof Message>;

/** Maximum length of a preview of the newest message. */
export const maxPreviewLength = 100;

/** A conversation of two people, as one of them sees it. Its preview and counts follow new messages with a short delay. */
export const Conversation = z
  .object({
    id: Id,
    senderId: Id,
    receiverId: Id,
    user: PublicUser.meta({ description: 'The other person.' }),
    open: z.boolean().meta({ description: 'Whether they are friends: otherwise it is read-only.' }),
    can: z
      .object({ message: z.boolean().meta({ description: 'Whether they are friends.' }) })
      .optional()
      .meta({ description: 'What the caller can do in it. Absent in older versions.' }),
    last: Message.pick({ id: true, sender: true, text: true, createdAt: true, deleted: true })
      .nullable()
      .meta({ description: `The newest message, its text cut after ${maxPreviewLength} characters.` }),
    unread: z
      .int()
      .nonnegative()
      .meta({ description: 'Messages of the other person after readId; at most 100.' }),
    readId: Id.nullable().meta({ description: 'The last message that the caller has read.' }),
    otherReadId: Id.nullable().meta({
      description: 'The last message that the other person has read; null if they do not show it.',
    }),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.infer<typeof Conversation>;

/** Upper limit of counts of unread messages. */
export const maxUnread = 100;

/** Default and maximum page size of messages. */
export const messagesPerPage = 200;

/** A conversation id, as a number or as text. */
const IdOrText = z.union([Id, IdText]);

/** A new message. The sender is always the caller. */
export const NewMessage = z
  .object({
    sender: z.unknown().optional().meta({ description: 'Ignored: it is always the caller.' }),
    text: freeText(textLimits.message).min(1, 'must not be empty'),
    conversationId: IdOrText,
    clientId: z.string().min(1).max(64).optional().meta({
      description: 'The client’s own id for the message: a repeated call returns the first message.',
    }),
  })
  .meta({ id: 'NewMessage' });
export type NewMessage = z.output<typeof NewMessage>;

/** A person's chat settings. */
export const ChatPreferences = z
  .object({
    keepDrafts: z.boolean().meta({ description: 'Keep unsent text with its conversation.' }),
    showTyping: z.boolean().meta({ description: 'Show friends that the person is typing.' }),
    sendReadReceipts: z.boolean().meta({ description: 'Show friends which messages the person has read.' }),
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
    summary: 'List the caller’s conversations, most recent message first; `userId` is their own id',
    params: z.object({ userId: IdText }),
    status: [200],
    response: z.array(Conversation),
    problems: ['unauthenticated', 'forbidden'],
  }),
  openConversation: operation({
    service: 'chat',
    method: 'POST',
    path: '/api/conversations',
    access: 'member',
    creates: true,
    summary: 'Get or create the conversation with a friend: there is one for two people',
    body: z.object({
      friend: z.object({ id: Id }),
      auth: z.unknown().optional().meta({ description: 'Ignored: it is always the caller.' }),
    }),
    status: [201, 200],
    response: Conversation,
    problems: ['unauthenticated', 'not-friends'],
  }),
  markConversationRead: operation({
    service: 'chat',
    method: 'PUT',
    path: '/api/conversations/{id}/read',
    access: 'owner',
    summary: 'Mark messages as read up to one; it never moves back',
    params: z.object({ id: IdText }),
    body: z.object({ messageId: Id }),
    status: [200],
    response: Conversation,
    problems: ['unauthenticated', 'forbidden', 'conversation-not-found', 'message-not-found'],
  }),
  listMessages: operation({
    service: 'chat',
    method: 'GET',
    path: '/api/messages/{conversationId}',
    access: 'owner',
    summary: 'List the newest messages in ascending order; `before` for older, `after` for missed ones',
    params: z.object({ conversationId: IdText }),
    query: z.object({
      before: IdText.optional(),
      after: IdText.optional().meta({
        description: 'Messages after this id; a full page may not be all of them.',
      }),
      limit: limit(messagesPerPage).optional(),
    }),
    status: [200],
    response: z.array(Message),
    problems: ['unauthenticated', 'forbidden', 'conversation-not-found'],
  }),
  sendMessage: operation({
    service: 'chat',
    method: 'POST',
    path: '/api/messages',
    access: 'member',
    creates: true,
    summary: 'Send a message to a friend; idempotent by `clientId`',
    body: NewMessage,
    status: [201, 200],
    response: Message,
    problems: ['unauthenticated', 'forbidden', 'conversation-not-found', 'not-friends', 'awaiting-reply'],
  }),
  deleteMessage: operation({
    service: 'chat',
    method: 'DELETE',
    path: '/api/messages/{conversationId}/{id}',
    access: 'owner',
    summary:
      'Delete one of the caller’s messages for both, within an hour after it was sent; it keeps its place in the conversation, without its text',
    params: z.object({ conversationId: IdText, id: IdText }),
    status: [204],
    problems: [
      'unauthenticated',
      'forbidden',
      'conversation-not-found',
      'message-not-found',
      'message-too-old',
    ],
  }),
  getChatPreferences: operation({
    service: 'chat',
    method: 'GET',
    path: '/api/chat/preferences',
    access: 'member',
    summary: 'Get the caller’s chat settings; all are on by default',
    status: [200],
    response: ChatPreferences,
    problems: ['unauthenticated'],
  }),
  updateChatPreferences: operation({
    service: 'chat',
    method: 'PUT',
    path: '/api/chat/preferences',
    access: 'member',
    summary: 'Change the caller’s chat settings',
    body: ChatPreferences.partial(),
    status: [200],
    response: ChatPreferences,
    problems: ['unauthenticated'],
  }),
};
