import { type Conversation, maxUnread, type PublicUser } from '@wayquest/contracts';
import type { ConversationDocument } from './conversation.model.ts';
import { sentCountOf } from './message-ids.ts';
import { otherOf } from './policies.ts';

export type StoredConversation = Omit<ConversationDocument, 'outbox'>;

/** The field with the last message that one of the two has read. */
export const readFields = ({ senderId }: Pick<StoredConversation, 'senderId'>, userId: number) =>
  userId === senderId
    ? ({ id: 'senderReadId', count: 'senderReadCount' } as const)
    : ({ id: 'receiverReadId', count: 'receiverReadCount' } as const);

/** The number of the other person's messages that somebody has not read. */
function unreadOf(conversation: StoredConversation, userId: number): number {
  const { last } = conversation;
  if (!last) return 0;
  const sent = sentCountOf(otherOf(conversation, userId), last);
  const read = conversation[readFields(conversation, userId).count] ?? 0;
  return Math.min(maxUnread, Math.max(0, sent - read));
}

/** A conversation for one of the two; `user` is the other person. */
export const presentConversation = ({
  conversation,
  userId,
  user,
  open,
  hidesReadReceipts: hidesReadMarks,
}: {
  conversation: StoredConversation;
  userId: number;
  user: PublicUser;
  open: boolean;
  hidesReadReceipts: boolean;
}): Conversation => {
  const { _id: id, senderId, receiverId, last } = conversation;
  return {
    id,
    senderId,
    receiverId,
    user,
    open,
    last: last
      ? { id: last.messageId, sender: last.sender, text: last.text, createdAt: last.createdAt.toISOString() }
      : null,
    unread: unreadOf(conversation, userId),
    readId: conversation[readFields(conversation, userId).id] ?? null,
    otherReadId: hidesReadMarks ? null : (conversation[readFields(conversation, user.id).id] ?? null),
  };
};
