import type { Conversation, PublicUser } from '@wayquest/contracts';
import type { ConversationDocument } from './conversation.model.ts';

export type StoredConversation = Omit<ConversationDocument, 'outbox'>;

/** Where it is kept how far one of the two has read. */
export const readField = ({ senderId }: StoredConversation, userId: number) =>
  userId === senderId ? 'senderReadId' : 'receiverReadId';

/** A conversation as one of the two sees it; `user` is the other one. */
export const presentConversation = ({
  conversation,
  userId,
  user,
  open,
  unread,
  hidesReadMarks,
}: {
  conversation: StoredConversation;
  userId: number;
  user: PublicUser;
  open: boolean;
  unread: number;
  hidesReadMarks: boolean;
}): Conversation => ({
  id: conversation._id,
  senderId: conversation.senderId,
  receiverId: conversation.receiverId,
  user,
  open,
  unread,
  readId: conversation[readField(conversation, userId)] ?? null,
  otherReadId: hidesReadMarks ? null : (conversation[readField(conversation, user.id)] ?? null),
});
