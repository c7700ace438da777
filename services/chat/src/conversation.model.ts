import { type Conversation, maxUnread, type PublicUser } from '@wayquest/contracts';
import { addOutbox, type WithOutbox } from '@wayquest/platform/outbox';
import { type Connection, Schema } from 'mongoose';
import { type SequencedMessage, sentCountOf } from './message.model.ts';

/** The newest message, in short. */
export interface LastMessage extends SequencedMessage {
  text: string;
  createdAt: Date;
  /** Deleted by its sender. */
  deleted?: boolean;
}

interface DeletedMessage {
  messageId: number;
}

export interface ConversationDocument extends WithOutbox {
  _id: number;
  /** Both people, the smaller id first: one conversation for each pair. */
  pair: string;
  senderId: number;
  receiverId: number;
  /** Updated a moment after the messages. */
  last?: LastMessage | null;
  /** The last message that each of them has read, and how many messages of the other person there are up to it. */
  senderReadId?: number | null;
  senderReadCount?: number | null;
  receiverReadId?: number | null;
  receiverReadCount?: number | null;
  /** The messages that the sender, or the receiver, deleted before the other person had read them: at most a hundred. */
  senderDeleted?: DeletedMessage[];
  receiverDeleted?: DeletedMessage[];
}

const lastMessage = new Schema<LastMessage>(
  {
    messageId: { type: Number, required: true },
    sender: { type: Number, required: true },
    senderSequence: { type: Number, required: true },
    text: { type: String, required: true },
    createdAt: { type: Date, required: true },
    deleted: Boolean,
  },
  { _id: false },
);

const deletedMessage = new Schema<DeletedMessage>(
  { messageId: { type: Number, required: true } },
  { _id: false },
);

const schema = new Schema<ConversationDocument>({
  _id: { type: Number, required: true },
  pair: { type: String, required: true },
  senderId: { type: Number, required: true },
  receiverId: { type: Number, required: true },
  last: lastMessage,
  senderReadId: Number,
  senderReadCount: Number,
  receiverReadId: Number,
  receiverReadCount: Number,
  // No empty array in each conversation.
  senderDeleted: { type: [deletedMessage], default: undefined },
  receiverDeleted: { type: [deletedMessage], default: undefined },
});
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });
schema.index({ pair: 1 }, { unique: true });
schema.index({ senderId: 1 });
schema.index({ receiverId: 1 });

export const conversationModel = (connection: Connection) =>
  connection.model<ConversationDocument>('Conversation', schema, 'conversations');

interface Pair {
  senderId: number;
  receiverId: number;
}

/** A conversation belongs to both of its people. */
export const ownersOf = ({ senderId, receiverId }: Pair): number[] => [senderId, receiverId];

/** Whether somebody may send more: without a limit after a reply, and up to `max` messages before. */
export const maySend = ({ own, others, max }: { own: number; others: number; max: number }): boolean =>
  others > 0 || own < max;

/** The other person of a conversation. */
export const otherOf = ({ senderId, receiverId }: Pair, userId: number): number =>
  userId === senderId ? receiverId : senderId;

export type StoredConversation = Omit<ConversationDocument, 'outbox'>;

/** The fields with what one of the two has read, and with what the other one deleted before it was read. */
export const readFields = ({ senderId }: Pick<StoredConversation, 'senderId'>, userId: number) =>
  userId === senderId
    ? ({ id: 'senderReadId', count: 'senderReadCount', deleted: 'receiverDeleted' } as const)
    : ({ id: 'receiverReadId', count: 'receiverReadCount', deleted: 'senderDeleted' } as const);

/** The number of the other person's messages that somebody has not read, without deleted ones. */
function unreadOf(conversation: StoredConversation, userId: number): number {
  const { last } = conversation;
  if (!last) return 0;
  const fields = readFields(conversation, userId);
  const sent = sentCountOf(otherOf(conversation, userId), last);
  const readId = conversation[fields.id] ?? 0;
  const deleted = (conversation[fields.deleted] ?? []).filter(({ messageId }) => messageId > readId).length;
  return Math.min(maxUnread, Math.max(0, sent - (conversation[fields.count] ?? 0) - deleted));
}

/** A conversation for one of the two; `user` is the other person. */
export const presentConversation = ({
  conversation,
  userId,
  user,
  open,
  hidesReadReceipts,
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
    can: { message: open },
    last: last
      ? {
          id: last.messageId,
          sender: last.sender,
          text: last.text,
          createdAt: last.createdAt.toISOString(),
          ...(last.deleted && { deleted: true as const }),
        }
      : null,
    unread: unreadOf(conversation, userId),
    readId: conversation[readFields(conversation, userId).id] ?? null,
    otherReadId: hidesReadReceipts ? null : (conversation[readFields(conversation, user.id).id] ?? null),
  };
};
