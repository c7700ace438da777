import { type Message, messageDeletableMs } from '@wayquest/contracts';
import { addOutbox, type WithOutbox } from '@wayquest/platform/outbox';
import { type Connection, Schema } from 'mongoose';

/**
 * A message's id is its conversation's id followed by its position in the conversation (seven digits). A message
 * takes the id after the last one. So ids have no gaps, and a reader who sees a message sees all earlier ones; ids that
 * were allocated before would not guarantee that.
 */
const maxMessagesPerConversation = 10_000_000;

/** The id before a conversation's first message. */
export const lowerBound = (conversationId: number): number => conversationId * maxMessagesPerConversation;

/** The id after the last that a conversation can have. */
export const upperBound = (conversationId: number): number =>
  (conversationId + 1) * maxMessagesPerConversation;

/** The number of messages of a conversation up to and including one of them. */
const positionOf = (id: number): number => id % maxMessagesPerConversation;

/** The fields of a message from which the number of each person's messages follows. */
export interface SequencedMessage {
  messageId: number;
  sender: number;
  /** Its number among the sender's messages in the conversation. */
  senderSequence: number;
}

/** The number of somebody's messages up to and including one of the conversation. */
export const sentCountOf = (
  userId: number,
  { messageId, sender, senderSequence }: SequencedMessage,
): number => (sender === userId ? senderSequence : positionOf(messageId) - senderSequence);

export interface MessageDocument extends WithOutbox {
  _id: number;
  conversationId: number;
  sender: number;
  /** Its number among the sender's messages in the conversation; missing in messages of older versions. */
  senderSequence?: number | null;
  text: string;
  createdAt: Date;
  clientId?: string | null;
  /** `<conversation>:<sender>:<clientId>`: a repeated call finds the first message. */
  clientKey?: string;
  /** Deleted by its sender: its text is empty. */
  deleted?: boolean;
  /** Hidden after a report; the version of that decision. */
  removed?: boolean;
  decision?: number | null;
}

const schema = new Schema<MessageDocument>({
  _id: { type: Number, required: true },
  conversationId: { type: Number, required: true },
  sender: { type: Number, required: true },
  senderSequence: Number,
  text: { type: String, required: true },
  createdAt: { type: Date, required: true },
  clientId: String,
  clientKey: String,
  deleted: Boolean,
  removed: Boolean,
  decision: Number,
});
addOutbox(schema);
schema.set('shardKey', { _id: 1 });
schema.index({ clientKey: 1 }, { unique: true, sparse: true });

export const messageModel = (connection: Connection) =>
  connection.model<MessageDocument>('Message', schema, 'messages');

export type StoredMessage = Omit<MessageDocument, 'outbox'>;

/** A message for both people. */
export const presentMessage = ({
  _id,
  sender,
  text,
  conversationId,
  createdAt,
  clientId,
  removed,
  deleted,
}: StoredMessage): Message => ({
  id: _id,
  sender,
  text: removed ? '' : text,
  ...(removed && { removed: true as const }),
  ...(deleted && { deleted: true as const }),
  conversationId,
  createdAt: createdAt.toISOString(),
  clientId: clientId ?? null,
});

/** Whether a message is too old to be deleted by its sender. */
export const isTooOldToDelete = ({ createdAt }: Pick<StoredMessage, 'createdAt'>, now: number): boolean =>
  createdAt.getTime() + messageDeletableMs < now;

/** A message for one of the two, with what they can do with it. */
export const presentMessageTo = (readerId: number, message: StoredMessage, now: number): Message => {
  const isOwn = message.sender === readerId;
  const isGone = message.deleted === true || message.removed === true;
  return {
    ...presentMessage(message),
    can: {
      delete: isOwn && !message.deleted && !isTooOldToDelete(message, now),
      report: !isOwn && !isGone,
    },
  };
};
